import { Flag, Instant, Integer, OwnedRecord, Refs, Text, Written, Choice, type Id } from '@commerce/records';

import type { Term } from '../domain/calendar/term.js';
import { DECIDERS, type Decider } from '../domain/lifecycle/decided-by.js';
import type { Discount } from '../domain/pricing/discount.js';
import type { CollectDebt } from '../domain/receivable/receivable.js';
import type { RecurringTerms } from '../domain/revenue/recurring.js';
import type { PendingChange as ScheduledChange } from '../domain/lifecycle/pending-change.js';
import { MAX_COUPONS } from './subscription-limits.js';
import type { StoredPayment, StoredPeriod, StoredQuote } from './stored-amounts.js';

/** The hidden fields of a subscription that billing keeps between decisions; see SubscriptionState. */
export abstract class SubscriptionBillingState extends OwnedRecord {
  @Instant({ hidden: true, optional: true })
  due: Date | null;

  /** Service is due, and withheld until the first payment has succeeded: `active` is false. */
  @Flag({ hidden: true, default: false })
  awaits_first_payment: boolean;

  @Instant({ hidden: true, optional: true })
  anchor: Date | null;

  @Text({ hidden: true, optional: true })
  timezone: string | null;

  @Integer({ hidden: true, default: 0 })
  run: number;

  @Integer({ hidden: true, default: 0 })
  units_before: number;

  @Integer({ hidden: true, default: 0 })
  next_period: number;

  /** The billing periods that may still be settled, with what held in them and their books. */
  @Written({ hidden: true, default: () => [] })
  periods: readonly StoredPeriod[];

  @Instant({ hidden: true, optional: true })
  setup_due: Date | null;

  @Flag({ hidden: true, default: false })
  setup_charged: boolean;

  @Flag({ hidden: true, default: false })
  paid_before: boolean;

  /** The payments that are not settled yet. */
  @Written({ hidden: true, default: () => [] })
  open_payments: readonly StoredPayment[];

  @Written({ hidden: true })
  collect_debt: CollectDebt | null;

  @Integer({ hidden: true, default: 0 })
  debts: number;

  /** Number of payments opened for quotes. */
  @Integer({ hidden: true, default: 0 })
  quotes: number;

  /** The coupons reserved for it until its first payment with their discount. */
  @Refs('coupon', { hidden: true, default: () => [] })
  reserved_coupons: Id[];

  /** The coupons that it has redeemed. */
  @Refs('coupon', { hidden: true, default: () => [], max: MAX_COUPONS })
  redeemed_coupons: Id[];

  /** The discount of its coupon, as the price is computed with it. */
  @Written({ hidden: true })
  discount_terms: Discount | null;

  @Written({ hidden: true })
  scheduled_change: ScheduledChange | null;

  /** A change or start that takes effect once its payment has succeeded. */
  @Written({ hidden: true })
  quote: StoredQuote | null;

  @Written({ hidden: true })
  term_before_stop: Term | null;

  /** While a stop is to come: who gave the term from before it. */
  @Choice(DECIDERS, { hidden: true, optional: true })
  term_set_by: Decider | null;

  /** Whether the customer's stop withdrew a change that the company had scheduled. */
  @Flag({ hidden: true, default: false })
  withdrew_change: boolean;

  @Instant({ hidden: true, optional: true })
  owing_since: Date | null;

  /** The terms by which it counts as recurring since each date, and when it stopped counting. */
  @Written({ hidden: true, default: () => [] })
  recurring: readonly RecurringTerms[];

  @Instant({ hidden: true, optional: true })
  recurred_until: Date | null;

  /** `due` in real time: when a sweep must read the subscription. Null until a test clock has reached that date. */
  @Instant({ hidden: true, optional: true })
  wake_at: Date | null;
}
