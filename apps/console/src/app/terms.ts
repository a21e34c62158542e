import { T } from '../texts';
import { money } from './format';

/** The price and the dates of a plan, stored or still in a form. */
export interface PriceTerms {
  readonly total_amount: number;
  readonly currency: string;
  readonly interval_unit: string;
  readonly interval_count: number;
  readonly billing_interval: string;
  readonly billing_interval_count: number;
  readonly prepay: boolean;
}

/** `every month`, `every 3 months`. */
export function everyText(unit: string, count: number): string {
  const [one, many] = T.terms.units[unit] ?? [unit.toLowerCase(), unit.toLowerCase()];
  return count === 1 ? T.terms.every(one) : T.terms.everyFew(count, many);
}

/** `€29.90 every month, in advance`. */
export function priceText(terms: PriceTerms, quantity = 1): string {
  const { total_amount, currency, interval_unit, interval_count, prepay } = terms;
  const { billing_interval, billing_interval_count } = terms;
  const price = everyText(interval_unit, interval_count);
  const collected = everyText(billing_interval, billing_interval_count);
  const amount = money(total_amount, currency);
  return [
    `${quantity === 1 ? amount : T.terms.times(quantity, amount)} ${price}`,
    ...(collected === price ? [] : [T.terms.collected(collected)]),
    prepay ? T.terms.inAdvance : T.terms.afterwards,
  ].join(', ');
}
