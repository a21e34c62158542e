import type { Discount } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';
import type { CreditTo, QuotedTerms } from '../lines/billing-period.js';
import type { Decider } from './decided-by.js';

interface Change {
  readonly set_by: Decider;
  readonly subscribed: Subscribed;
  readonly credit: CreditTo;
  /** The discount of a coupon that the change brings, counted from the change. */
  readonly discount?: Discount;
}

/** A change at a date to come; null: at the end of a pause. */
export interface ScheduledChange extends Change {
  readonly state: 'SCHEDULED';
  readonly at: Date | null;
}

/** A quote: a change that takes effect, as of `at` and at these prices, once its payment has succeeded. */
export interface AwaitedChange extends Change {
  readonly state: 'AWAITING_PAYMENT';
  readonly at: Date;
  /** The prices of the terms that it charges. */
  readonly prices: readonly QuotedTerms[];
}

export type PendingChange = ScheduledChange | AwaitedChange;
