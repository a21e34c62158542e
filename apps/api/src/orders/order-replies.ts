import { fault } from '@commerce/kernel';
import type { OrderOutcome } from '@commerce/orders';
import { REPLY, render } from '@commerce/platform';

import { RecordReply } from '../http/replies/reply.interceptor.js';

/**
 * The reply to an order that was not paid: 422 with the payment where the customer must authenticate.
 * @throws Fault `payment.declined` with both records where the card was declined
 */
export function replyTo(outcome: Exclude<OrderOutcome, { kind: 'order' }>): RecordReply {
  switch (outcome.kind) {
    case 'authentication':
      return new RecordReply(422, outcome.payment);
    case 'declined': {
      const { order, payment } = outcome;
      const attempt = payment.attempts.at(-1);
      throw fault('payment.declined', attempt?.message ?? 'The card was declined', {
        decline_code: attempt?.code ?? null,
        order: render(order, REPLY),
        payment: render(payment, REPLY),
      });
    }
  }
}
