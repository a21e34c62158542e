/** What a subscription is counted in, and how often it is billed. */
export type IntervalUnit = 'DAY' | 'WEEK' | 'MONTH' | 'MONTH_END' | 'ANNUAL';

/** `anchor` is boundary 0; `interval_unit` is what the price is for, `billing_interval` how often it is collected. */
export interface BillingCalendar {
  readonly anchor: Date;
  readonly timezone: string;
  readonly interval_unit: IntervalUnit;
  readonly billing_interval: IntervalUnit;
}

/** A billing period `[start, end)`; `index` counts from the anchor. */
export interface Slice {
  readonly index: number;
  readonly start: Date;
  readonly end: Date;
}

export function unitBoundary(calendar: BillingCalendar, n: number): Date {
  throw new Error(`not yet ${String(calendar.anchor)} ${n}`);
}

export function sliceBoundary(calendar: BillingCalendar, n: number): Date {
  throw new Error(`not yet ${String(calendar.anchor)} ${n}`);
}

export function sliceAt(calendar: BillingCalendar, index: number): Slice {
  return { index, start: sliceBoundary(calendar, index), end: sliceBoundary(calendar, index + 1) };
}

/** Index of the slice that holds `instant`; -1 before the anchor. */
export function sliceIndexAt(calendar: BillingCalendar, instant: Date): number {
  throw new Error(`not yet ${String(calendar.anchor)} ${String(instant)}`);
}

/** Whole interval units that ended at or before `instant`; 0 before the anchor. */
export function unitsUpTo(calendar: BillingCalendar, instant: Date): number {
  throw new Error(`not yet ${String(calendar.anchor)} ${String(instant)}`);
}

/** Where `interval_total` units end. */
export function endOfUnits(calendar: BillingCalendar, interval_total: number): Date {
  return unitBoundary(calendar, interval_total);
}
