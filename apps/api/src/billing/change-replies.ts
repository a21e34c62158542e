import type { ChangeOutcome } from '@commerce/billing';
import type { Caller } from '@commerce/data';
import { withoutDeclineReasons } from '@commerce/payments';

import { declined } from '../http/replies/declined.js';
import { RecordReply } from '../http/replies/reply.adapter.js';

/**
 * The reply to a change that is not paid: 422 with the payment when the customer must authenticate.
 * @throws Fault `payment.declined` with both records; only admins see the reason
 */
export function replyTo(
  { role }: Caller,
  outcome: Exclude<ChangeOutcome, { kind: 'subscription' }>,
): RecordReply {
  const payment = role === 'admin' ? outcome.payment : withoutDeclineReasons(outcome.payment);
  if (outcome.kind === 'authentication') return new RecordReply(422, payment);
  throw declined(payment, { subscription: outcome.subscription });
}
