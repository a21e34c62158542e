import type { VatMinor } from '@commerce/kernel';

import {
  intervalIndexAt,
  priceInterval,
  type BillingCalendar,
  type CalendarPeriod,
} from '../calendar/calendar.js';
import type { PlanPrice } from './pricing.js';

/**
 * The amounts at each rate that divide the charge of a period: those of the price with and without the discount, for as
 * many intervals as have each.
 */
export function ratesOf(
  plan: PlanPrice | null,
  calendar: BillingCalendar,
  { start, end }: Pick<CalendarPeriod, 'start' | 'end'>,
): readonly VatMinor[] {
  const full = plan?.priced?.vat ?? [];
  const discounted = plan?.discounted ?? null;
  if (discounted === null) return full;
  const first = intervalIndexAt(calendar, priceInterval(calendar), start);
  const last = intervalIndexAt(calendar, priceInterval(calendar), new Date(end.getTime() - 1));
  const from = Math.max(first, discounted.from);
  const until = Math.min(last + 1, discounted.until ?? last + 1);
  const covered = Math.max(0, until - from);
  if (covered === 0) return full;
  const rest = last + 1 - first - covered;
  return discounted.priced.vat.map((rate, index) => ({
    ...rate,
    gross_minor: rate.gross_minor * covered + (full[index]?.gross_minor ?? 0) * rest,
  }));
}
