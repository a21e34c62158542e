import { endsOf } from '../lines/line.js';
import type { PaymentKey } from '../lines/payment-key.js';
import { dueOf } from '../lines/settlement.js';
import { boundsOf, isBilled, type SubscriptionState } from '../lifecycle/subscription-state.js';

/**
 * The payments whose money decides on a credit that may be due: those of periods that are settled by now, and of those
 * before a new calendar, which may yield a day to it.
 */
export function paymentsDue(state: SubscriptionState, now: Date): readonly PaymentKey[] {
  if (!isBilled(state)) return [];
  const bounds = boundsOf(state);
  return state.lines.flatMap((line) =>
    line.periods
      .filter((period) => {
        const due = dueOf(period, line.timing, endsOf(line, bounds, period));
        return period.run !== line.schedule.run || (due !== null && due <= now);
      })
      .flatMap(({ books }) => books.map(({ payment }) => payment)),
  );
}
