import type { Discount } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';
import type { CreditTo } from '../receivable/billing-period.js';
import type { StartedReceivable } from '../receivable/receivable.js';
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

/** A change that takes effect, as of `at`, once its charge has succeeded. */
export interface AwaitedChange extends Change {
  readonly state: 'AWAITING_PAYMENT';
  readonly at: Date;
  readonly becomes: ChangeOutcome;
}

export type PendingChange = ScheduledChange | AwaitedChange;

/** The receivable after the charge of a change: no price is read again when it succeeds. */
export interface ChangeOutcome extends Pick<StartedReceivable, 'period' | 'next_period'> {
  /** The debt for unused days, which is written off. */
  readonly forgiven_minor: number;
}
