import { fault } from '@commerce/kernel';
import type { OrderOutcome } from '@commerce/orders';
import { GENERIC_DECLINE, withoutDeclineReasons } from '@commerce/payments';
import { type Caller } from '@commerce/data';
import { REPLY, render } from '@commerce/records';

import { RecordReply } from '../http/replies/reply.adapter.js';

/**
 * The reply to an order that was not paid: 422 with the payment where the customer must authenticate.
 * @throws Fault `payment.declined` with both records where the card was declined; only an admin is told why. Fault
 * `amount.below_minimum`, likewise with both, where the provider does not charge so little
 */
export function replyTo({ role }: Caller, outcome: Exclude<OrderOutcome, { kind: 'order' }>): RecordReply {
  const isAdmin = role === 'admin';
  const payment = isAdmin ? outcome.payment : withoutDeclineReasons(outcome.payment);
  switch (outcome.kind) {
    case 'authentication':
      return new RecordReply(422, payment);
    case 'below_minimum':
      throw fault('amount.below_minimum', 'The card provider does not charge so little', {
        currency: payment.currency,
        order: render(outcome.order, REPLY),
        payment: render(payment, REPLY),
      });
    case 'declined': {
      const { order } = outcome;
      const attempt = payment.attempts.at(-1);
      throw fault('payment.declined', attempt?.message ?? GENERIC_DECLINE.message, {
        decline_code: attempt?.code ?? null,
        order: render(order, REPLY),
        payment: render(payment, REPLY),
      });
    }
  }
}
