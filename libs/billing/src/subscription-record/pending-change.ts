import { Choice, Instant, Integer, Ref, type Id } from '@commerce/records';

import { DECIDERS, type Decider } from '../domain/lifecycle/decided-by.js';
import type { CreditTo, QuotedTerms } from '../domain/lines/billing-period.js';
import type { Discount } from '../domain/pricing/discount.js';
import type { InMajor } from './stored-amounts.js';

export const PENDING_CHANGE_STATES = ['SCHEDULED', 'AWAITING_PAYMENT'] as const;

/** A change of plan or quantity that has not taken effect yet. */
export class PendingChange {
  @Ref('plan', { description: 'the plan from then on' })
  plan: Id;

  @Integer({ min: 1, max: 1_000_000, description: 'the quantity from then on' })
  quantity: number;

  @Instant({ optional: true, description: 'when it takes effect; null: at the end of the pause' })
  at: Date | null;

  @Choice(PENDING_CHANGE_STATES, {
    description: 'AWAITING_PAYMENT: it takes effect once its payment has succeeded',
  })
  state: (typeof PENDING_CHANGE_STATES)[number];

  @Choice(DECIDERS, { description: 'who asked for it: a user withdraws and replaces only their own' })
  set_by: Decider;
}

/** The destination of the credit of a pending change, and the prices of a quote. */
export interface StoredOutcome {
  readonly credit: CreditTo;
  readonly prices: readonly InMajor<QuotedTerms>[] | null;
  /** The discount of a coupon that the change brings. */
  readonly discount?: Discount;
}
