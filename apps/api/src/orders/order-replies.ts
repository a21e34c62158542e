import { fault } from '@commerce/kernel';
import type { OrderOutcome, OrderRecord } from '@commerce/orders';
import { REPLY, render } from '@commerce/platform';

import { RecordReply } from '../http/reply.interceptor.js';

/**
 * How whoever pays is answered: with the order; with the payment and 422 where the customer must authenticate.
 * @throws Fault `payment.declined` with both records where the card was declined
 */
export function replyTo(outcome: OrderOutcome): OrderRecord | RecordReply {
  switch (outcome.kind) {
    case 'order':
      return outcome.order;
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
