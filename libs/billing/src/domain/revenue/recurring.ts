import { isSame, multiplyRatio, ratio, roundMoney, type Ratio } from '@commerce/kernel';

import type { IntervalUnit, PlanIntervals } from '../calendar/calendar.js';
import { discounted, type Discount } from '../pricing/discount.js';
import { planPrice, type PlanPriceInput } from '../pricing/pricing.js';
import type { Subscribed } from '../pricing/terms.js';

/** The terms from a date on by which a subscription counts as recurring; null while it does not count. Plain JSON. */
export interface RecurringTerms {
  readonly from: Date;
  readonly terms: Subscribed | null;
}

/** The fields of a subscription that decide whether and by which terms it counts. */
export interface RecurringFields {
  readonly plan: { toHexString(): string };
  readonly quantity: number;
  readonly discount_terms: Discount | null;
  readonly active: boolean;
  readonly in_trial: boolean;
}

/** The same, and since when; null before the start. */
export interface RecurringSince extends RecurringFields {
  readonly recurring: readonly RecurringTerms[];
  readonly starting_date: Date | null;
  readonly trial_ending_date: Date | null;
}

/** Changes that one subscription keeps; older ones are forgotten. */
const MAX_KEPT = 60;

/** Units of a price in a month: 12 months, 52 weeks or 365 days a year. */
const PER_MONTH: Readonly<Record<IntervalUnit, Ratio>> = {
  DAY: ratio(365, 12),
  WEEK: ratio(52, 12),
  MONTH: ratio(1),
  MONTH_END: ratio(1),
  ANNUAL: ratio(1, 12),
};

/**
 * The terms that count now; null in trial, in a pause and without service. Only a discount without an end lowers
 * recurring revenue: the others end by themselves.
 */
export function recurringTerms(fields: RecurringFields): Subscribed | null {
  const { plan, quantity, discount_terms, active, in_trial } = fields;
  if (!active || in_trial) return null;
  const lasting = discount_terms?.until === null ? discount_terms : undefined;
  return { plan: plan.toHexString(), quantity, ...discounted(lasting) };
}

/**
 * The history of a subscription up to now, the oldest first. A record from before histories were kept has one entry:
 * its present terms, since its first period.
 */
export function recurringHistory(record: RecurringSince): readonly RecurringTerms[] {
  if (record.recurring.length > 0) return record.recurring;
  const terms = recurringTerms(record);
  const from = record.trial_ending_date ?? record.starting_date;
  return terms === null || from === null ? [] : [{ from, terms }];
}

/** The history after a change; the same array where nothing that counts has changed. */
export function recurringAfter(
  before: RecurringSince,
  after: RecurringFields,
  at: Date,
): readonly RecurringTerms[] {
  const [was, is] = [recurringTerms(before), recurringTerms(after)];
  if (isSame(was, is)) return before.recurring;
  return [...recurringHistory(before), { from: at, terms: is }].slice(-MAX_KEPT);
}

/** The price of one interval of a plan, normalized to a month, in minor units. */
export function monthlyMinor(price: PlanPriceInput, plan: PlanIntervals): number {
  const { price_minor, discounted } = planPrice(price);
  const { interval_unit, interval_count } = plan;
  const exact = multiplyRatio(ratio(discounted?.price_minor ?? price_minor), PER_MONTH[interval_unit]);
  return roundMoney(multiplyRatio(exact, ratio(1, interval_count)), price.currency);
}
