import { Injectable } from '@nestjs/common';
import type { PaymentRecord } from '@commerce/payments';

import { paymentsDue } from '../domain/cycle/payments-due.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { HoldingOf } from '../domain/lines/credit.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { PaymentKey } from '../domain/lines/payment-key.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { RefundableReader } from '../subscriptions/refundable-reader.js';
import { PayabilityReader } from '../terms/payability-reader.js';

/** What a decision depends on beside the subscription and its terms. */
interface DecisionInput {
  readonly holdingOf: HoldingOf;
  readonly canPay: boolean;
}

/** Reads what the decisions of billing depend on. */
@Injectable()
export class DecisionInputReader {
  constructor(
    private readonly payability: PayabilityReader,
    private readonly rests: RefundableReader,
  ) {}

  async read(
    subscription: SubscriptionRecord,
    state: SubscriptionState,
    terms: Terms,
    now: Date,
  ): Promise<DecisionInput> {
    const holdingOf = await this.rests.read(subscription, paymentsDue(state, now));
    const ahead = { state, terms, now, holdingOf };
    const canPay = subscription.in_trial && (await this.payability.canPay(subscription, ahead));
    return { holdingOf, canPay };
  }

  payment(subscription: SubscriptionRecord, key: PaymentKey): Promise<PaymentRecord> {
    return this.rests.payment(subscription, key);
  }
}
