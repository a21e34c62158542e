import { dueOf, timingOf } from '../lines/settlement.js';
import { endsOf } from '../lifecycle/periods.js';
import { isBilled, type SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';
import type { PaymentKey } from '../lines/payment-key.js';

/**
 * The payments whose money decides on a credit that may be due: those of periods that are settled by now, and of those
 * before a new calendar, which may yield a day to it.
 */
export function paymentsDue(state: SubscriptionState, plan: PlanTerms, now: Date): readonly PaymentKey[] {
  if (!isBilled(state)) return [];
  const timing = timingOf(plan);
  return state.receivable.periods
    .filter((period) => {
      const due = dueOf(period, timing, endsOf(state, period));
      return period.run !== state.schedule.run || (due !== null && due <= now);
    })
    .flatMap(({ books }) => books.map(({ payment }) => payment));
}
