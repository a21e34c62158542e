import type { CreditTo } from '../lines/billing-period.js';
import type { Discount } from '../pricing/discount.js';
import type { Subscribed } from '../pricing/terms.js';
import type { Decider } from './decided-by.js';

/** A change of plan or quantity that has not taken effect yet. */
export interface PendingChange {
  readonly set_by: Decider;
  readonly subscribed: Subscribed;
  readonly credit: CreditTo;
  /** The discount of a coupon that the change brings, counted from the change. */
  readonly discount?: Discount;
  /** Null: at the end of a pause. */
  readonly at: Date | null;
}
