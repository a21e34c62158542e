import { minorStep, splitByWeights, type VatMinor } from '@commerce/kernel';

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
  const undiscounted = amountsOf(plan);
  return discounted.priced.vat.map((rate, index) => ({
    ...rate,
    gross_minor: rate.gross_minor * covered + (undiscounted[index] ?? 0) * rest,
  }));
}

/** The price without the discount, divided among the rates; those of the items are for a quantity of 1. */
function amountsOf(plan: PlanPrice | null): number[] {
  const { price_minor = 0, priced = null } = plan ?? {};
  const weights = (priced?.vat ?? []).map(({ gross_minor }) => gross_minor);
  if (priced === null || weights.every((weight) => weight === 0)) return weights;
  return splitByWeights(price_minor, weights, minorStep(priced.currency));
}
