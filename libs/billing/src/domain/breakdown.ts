import type { RoundingStep, PriceLinesInput, VatLine } from '@commerce/kernel';
import type { SlicePrice } from './accrual.js';
import type { BillingCalendar, IntervalUnit, Slice } from './calendar.js';
import type { PlanPriceInput } from './pricing.js';
import type { ProrationInput, ProrationMode } from './proration.js';

/** Amounts in here are decimals in major units, instants UTC milliseconds: plain JSON, as it is stored and shown. */
export type BreakdownPart =
  | {
      readonly kind: 'period';
      readonly amount: number;
      readonly interval_unit: IntervalUnit;
      readonly billing_interval: IntervalUnit;
      readonly anchor: number;
      readonly timezone: string;
      readonly slice: number;
      readonly start: number;
      readonly end: number;
      readonly service_end: number | null;
      readonly price: number;
      readonly priced_from: PlanPriceInput | null;
      readonly is_prorated: boolean;
      readonly vat: readonly VatLine[];
      readonly steps: readonly RoundingStep[];
    }
  | { readonly kind: 'setup'; readonly amount: number }
  | { readonly kind: 'outstanding'; readonly amount: number }
  | {
      readonly kind: 'proration';
      /** `stop` takes the unused part off (negative), `used` and `unused` collect that part. */
      readonly takes: 'stop' | 'used' | 'unused';
      readonly amount: number;
      readonly mode: ProrationMode;
      readonly timezone: string;
      readonly unit: IntervalUnit;
      readonly base: number;
      readonly start: number;
      readonly end: number;
      readonly at: number;
      readonly is_prorated: boolean;
      readonly unused: number;
      readonly total: number;
      readonly steps: readonly RoundingStep[];
    }
  | {
      readonly kind: 'lines';
      readonly amount: number;
      readonly input: PriceLinesInput;
      readonly vat: readonly VatLine[];
      readonly steps: readonly RoundingStep[];
    };

export interface Breakdown {
  readonly currency: string;
  readonly amount: number;
  readonly parts: readonly BreakdownPart[];
}

export function breakdownOf(currency: string, parts: readonly BreakdownPart[]): Breakdown {
  throw new Error(`not yet ${currency} ${parts.length}`);
}

export function periodPart(
  calendar: BillingCalendar,
  price: SlicePrice,
  slice: Slice,
  serviceEnd: Date | null,
  pricedFrom: PlanPriceInput | null = null,
): BreakdownPart {
  throw new Error(
    `not yet ${String(calendar)} ${price.currency} ${slice.index} ${String(serviceEnd ?? pricedFrom)}`,
  );
}

export function setupPart(amount_minor: number, currency: string): BreakdownPart {
  throw new Error(`not yet ${amount_minor} ${currency}`);
}

export function outstandingPart(amount_minor: number, currency: string): BreakdownPart {
  throw new Error(`not yet ${amount_minor} ${currency}`);
}

export function prorationPart(input: ProrationInput, takes: 'stop' | 'used' | 'unused'): BreakdownPart {
  throw new Error(`not yet ${input.mode} ${takes}`);
}

export function linesPart(input: PriceLinesInput): BreakdownPart {
  throw new Error(`not yet ${input.currency}`);
}

/** The amount in minor units, computed anew from the inputs alone. */
export function recompute(breakdown: Breakdown): number {
  throw new Error(`not yet ${breakdown.currency}`);
}
