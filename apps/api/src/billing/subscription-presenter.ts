import { Injectable } from '@nestjs/common';
import type { SubscriptionOutcome, SubscriptionRecord } from '@commerce/billing';
import type { Caller } from '@commerce/data';
import { PaymentReader, withoutDeclineReasons } from '@commerce/payments';

import { declined } from '../http/replies/declined.js';
import { RecordReply } from '../http/replies/reply.adapter.js';

/** Replies to changes and starts that may have to be paid first. */
@Injectable()
export class SubscriptionPresenter {
  constructor(private readonly payments: PaymentReader) {}

  /**
   * The subscription; 422 with the payment where the customer must authenticate.
   * @throws Fault `payment.declined` with both records; only admins see the reason
   */
  async to(caller: Caller, outcome: SubscriptionOutcome): Promise<SubscriptionRecord | RecordReply> {
    if (outcome.kind === 'subscription') return outcome.subscription;
    const shown = await this.payments.shown(caller, outcome.payment);
    const payment = caller.role === 'admin' ? shown : withoutDeclineReasons(shown);
    if (outcome.kind === 'authentication') return new RecordReply(422, payment);
    throw declined(payment, { subscription: outcome.subscription });
  }
}
