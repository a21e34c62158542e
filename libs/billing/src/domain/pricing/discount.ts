import type { CouponOff } from '@commerce/kernel';

/** The discount of a coupon on the price of some intervals, counted from the anchor of the calendar. Plain JSON. */
export interface PriceDiscount {
  readonly off: CouponOff;
  /** The first interval with the discount; negative where it began before the calendar. */
  readonly from: number;
  /** The first interval without it again; null: never. */
  readonly until: number | null;
}

/** The discount of a subscription. */
export interface Discount extends PriceDiscount {
  /** Id of the coupon. */
  readonly coupon: string;
  readonly code: string;
  /** Ids of the plans that it is good for; null: all. */
  readonly plans: readonly string[] | null;
  /** Set once it was ended before its time: `until` is then the interval that was the next. */
  readonly ended?: true;
}

/**
 * The discount on a calendar that begins `intervals` later; none where it has ended by then. The first interval of that
 * calendar comes after the one in which a discount was ended.
 */
export function laterBy(discount: Discount | undefined, intervals: number): Discount | undefined {
  if (discount === undefined || discount.ended === true) return undefined;
  const until = discount.until === null ? null : discount.until - intervals;
  return until !== null && until <= 0 ? undefined : { ...discount, from: discount.from - intervals, until };
}

export function sameDiscount(a: Discount | undefined, b: Discount | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.coupon === b.coupon && a.from === b.from && a.until === b.until && a.ended === b.ended;
}

/** The field `discount`, left out where there is none: what is stored without a coupon stays as it was. */
export function discounted<D>(discount: D | undefined): { readonly discount?: D } {
  return discount === undefined ? {} : { discount };
}

/** The discount on the price of a plan; none where its coupon is for other plans. */
export function discountOn(discount: Discount | undefined, plan: string): PriceDiscount | undefined {
  if (discount === undefined || (discount.plans !== null && !discount.plans.includes(plan))) return undefined;
  const { off, from, until } = discount;
  return { off, from, until };
}
