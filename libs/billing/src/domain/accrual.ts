import type { RoundingStep } from '@commerce/kernel';
import type { BillingCalendar, Slice } from './calendar.js';

/** Price of one interval unit, in minor units. */
export interface SlicePrice {
  readonly price_minor: number;
  readonly currency: string;
  readonly is_prorated: boolean;
}

export interface SliceCharge {
  readonly amount_minor: number;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly steps: readonly RoundingStep[];
}

/** `serviceEnd` is the end that is known when the slice is charged, null for none. */
export function chargeForSlice(
  calendar: BillingCalendar,
  price: SlicePrice,
  slice: Slice,
  serviceEnd: Date | null,
): SliceCharge {
  throw new Error(`not yet ${String(calendar)} ${price.currency} ${slice.index} ${String(serviceEnd)}`);
}
