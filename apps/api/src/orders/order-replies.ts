import { fault } from '@commerce/kernel';
import type { OrderOutcome } from '@commerce/orders';
import { withoutDeclineReasons } from '@commerce/payments';
import { type Caller } from '@commerce/data';

import { declined, shown } from '../http/replies/declined.js';
import { RecordReply } from '../http/replies/reply.adapter.js';

/**
 * The reply to an unpaid order: 422 with the payment when the customer must authenticate.
 * @throws Fault `payment.declined` with both records when the card was declined (only admins see the reason), or
 * `amount.below_minimum`, likewise with both, when the amount is below the provider's minimum
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
        order: shown(outcome.order),
        payment: shown(payment),
      });
    case 'declined':
      throw declined(payment, { order: outcome.order });
  }
}
