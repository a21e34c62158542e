import { compareRatio, fieldFault, multiplyRatio, ratio, type Ratio } from '@commerce/kernel';

import { lineOf, type SubscriptionState } from '../lifecycle/subscription-state.js';
import type { IntervalUnit } from '../calendar/calendar.js';
import { planPrice } from '../pricing/pricing.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';

/** The days of a unit, by which prices of different intervals are compared. */
const DAYS: Readonly<Record<IntervalUnit, Ratio>> = {
  DAY: ratio(1),
  WEEK: ratio(7),
  MONTH: ratio(365, 12),
  MONTH_END: ratio(365, 12),
  ANNUAL: ratio(365),
};

type ChangeDate = Date | 'now' | 'period_end';

/**
 * The date of a customer's change; left out: now. Where one of the plans is not prorated, no part of a period may have its
 * terms: left out, the end of the period.
 * @throws Fault `plan.not_prorated` at `at` for a date within a period
 */
export function customerChangeDate(
  state: SubscriptionState,
  plans: readonly Pick<PlanTerms, 'is_prorated'>[],
  at: ChangeDate | null,
): ChangeDate {
  const isRunning = state.status === 'ACTIVE' && !state.in_trial;
  if (!isRunning || plans.every(({ is_prorated }) => is_prorated)) return at ?? 'now';
  const { schedule } = lineOf(state);
  if (at === null || at === 'period_end') return 'period_end';
  const begins = at === 'now' ? null : schedule.period(Math.max(0, schedule.indexAt(at))).start;
  if (at !== 'now' && begins?.getTime() === at.getTime()) return at;
  const message = 'at must be the start of a period, as one of the plans is not prorated';
  throw fieldFault('at', message, 'plan.not_prorated');
}

/** Whether a day under the new terms costs less than under the present ones; coupons aside. */
export function isCheaper(present: Terms, next: Terms, now: Date): boolean {
  return compareRatio(dayPrice(next, now), dayPrice(present, now)) < 0;
}

function dayPrice(terms: Terms, now: Date): Ratio {
  const { interval_unit, interval_count } = terms.plan;
  const days = multiplyRatio(DAYS[interval_unit], ratio(interval_count));
  return multiplyRatio(ratio(planPrice(terms.price(now)).price_minor), ratio(days.d, days.n));
}
