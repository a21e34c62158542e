import { intervalFrom, type TakeOverFacts } from '@commerce/billing';

import { COUPON_FIELDS, COUPON_OPTION_FIELDS, DISCOUNT_FIELDS } from './fields/customer-fields.js';
import { isSet, refusalsOf } from './fields/field-table.js';
import type { CarriedPlan } from './item-rules.js';
import {
  idOf,
  listed,
  type StripeCoupon,
  type StripeDiscount,
  type StripeSubscription,
} from './stripe-objects.js';
import { dateOf, majorAmount } from './stripe-units.js';

/** A coupon as this service has it, for one currency. Amounts in major units. */
export interface CarriedCoupon {
  /** The same key for all discounts by this coupon in this currency. */
  readonly key: string;
  readonly name: string | null;
  readonly off: { readonly percent_off: number } | { readonly amount_off: number };
  readonly currency: string;
  readonly duration: 'ONCE' | 'REPEATING' | 'FOREVER';
  readonly duration_in_intervals: number | null;
  /** Stripe's ids; null: all. */
  readonly products: readonly string[] | null;
}

/** The discount of a subscription, by its intervals as counted from the anchor. */
export interface CarriedDiscount {
  readonly coupon: CarriedCoupon;
  readonly from: number;
  readonly until: number | null;
}

/** The discounts that Stripe takes off the invoices of a subscription. */
export interface GivenDiscounts {
  readonly of_customer: StripeDiscount | null;
  /** The coupons in the export, which may have more fields than those within discounts. */
  readonly coupons: ReadonlyMap<string, StripeCoupon>;
}

const DURATIONS: Readonly<Record<string, CarriedCoupon['duration']>> = {
  once: 'ONCE',
  repeating: 'REPEATING',
  forever: 'FOREVER',
};

/** The discount that continues; null for none, and the reasons where it cannot be given here. */
export function discountOf(
  from: StripeSubscription,
  { of_customer, coupons }: GivenDiscounts,
  plan: CarriedPlan,
  facts: TakeOverFacts,
): CarriedDiscount | null | readonly string[] {
  const of_items = from.items.data.flatMap(({ discounts }) => listed(discounts));
  const several = listed(from.discounts);
  const own = several.length > 0 ? several : isSet(from.discount) ? [from.discount] : [];
  const given = [...of_items, ...(own.length > 0 ? own : isSet(of_customer) ? [of_customer] : [])];
  const [discount] = given;
  if (given.length === 0) return null;
  if (discount === undefined || discount === null) throw new TypeError('a discount is null');
  if (given.length > 1) return ['it has several discounts'];
  if (of_items.length > 0 && from.items.data.length > 1) return ['one of its items has a discount'];
  if (typeof discount === 'string') return ['it has a discount that is not expanded'];
  const coupon = couponOf(discount, coupons);
  if (coupon === null) return ['the coupon of its discount is not in the export'];
  const carried = carriedCoupon(coupon, plan.currency);
  if (typeof carried === 'string') return [carried];
  const why = [
    ...refusalsOf(DISCOUNT_FIELDS, discount, 'its discount'),
    ...refusalsOf(COUPON_FIELDS, coupon, `its coupon ${coupon.id}`),
    ...Object.values(coupon.currency_options ?? {}).flatMap((option) =>
      refusalsOf(COUPON_OPTION_FIELDS, option, `its coupon ${coupon.id}`),
    ),
    ...(discount === of_customer && carried.duration === 'ONCE'
      ? ['the next invoice of its customer has a discount']
      : []),
  ];
  if (why.length > 0) return why;
  const given_here = within({ discount, carried }, plan, facts);
  return given_here === null ? null : byItems(given_here, plan);
}

/** The discount on the intervals in which Stripe gives it; null when it is over, or for other products. */
function within(
  { discount, carried }: { discount: StripeDiscount; carried: CarriedCoupon },
  plan: CarriedPlan,
  facts: TakeOverFacts,
): CarriedDiscount | null {
  const { products, duration } = carried;
  if (products !== null && !plan.items.some(({ product }) => products.includes(product))) return null;
  const { interval } = plan;
  const indexOf = (seconds: number): number => intervalFrom(facts, interval, dateOf(seconds));
  const next = intervalFrom(facts, interval, facts.next_date);
  // Stripe removes a discount that is for one invoice once that is made.
  if (duration === 'ONCE') return { coupon: carried, from: next, until: next + 1 };
  const until = typeof discount.end === 'number' ? indexOf(discount.end) : null;
  if (until !== null && until <= next) return null;
  return { coupon: carried, from: Math.min(indexOf(discount.start), next), until };
}

/** A plan with a VAT of its own has no items that a discount could be limited to: it is for all of them, or stays. */
function byItems(discount: CarriedDiscount, { items, has_own_vat }: CarriedPlan): CarriedDiscount | string[] {
  const { coupon } = discount;
  const { products } = coupon;
  if (!has_own_vat || products === null) return discount;
  if (items.some(({ product }) => !products.includes(product))) {
    return ['its discount is for some of its items, and their VAT is set by hand'];
  }
  return { ...discount, coupon: { ...coupon, key: `${coupon.key} all`, products: null } };
}

function couponOf(
  { source, coupon }: StripeDiscount,
  coupons: ReadonlyMap<string, StripeCoupon>,
): StripeCoupon | null {
  const given = source?.coupon ?? coupon ?? null;
  const listed = coupons.get(idOf(given) ?? '') ?? null;
  return listed ?? (typeof given === 'string' ? null : given);
}

/** The reason where the coupon has no amount in this currency. */
function carriedCoupon(coupon: StripeCoupon, currency: string): CarriedCoupon | string {
  const { id, duration, duration_in_months, percent_off, applies_to } = coupon;
  const kind = DURATIONS[duration];
  if (kind === undefined) return `its coupon ${id} has a duration that is not understood`;
  const rest = {
    name: coupon.name ?? null,
    currency,
    duration: kind,
    duration_in_intervals: kind === 'REPEATING' ? (duration_in_months ?? 1) : null,
    products: applies_to?.products ?? null,
  };
  // Percentages have two decimals.
  if (typeof percent_off === 'number') {
    return { ...rest, key: id, off: { percent_off: Math.round(percent_off * 100) / 10_000 } };
  }
  const amount = amountIn(coupon, currency.toLowerCase());
  if (amount === null) return `its coupon ${id} has no amount in ${currency} in the export`;
  const amount_off = majorAmount(amount, currency);
  return typeof amount_off === 'string'
    ? amount_off
    : { ...rest, key: `${id} ${currency}`, off: { amount_off } };
}

function amountIn({ currency, amount_off, currency_options }: StripeCoupon, code: string): number | null {
  return (currency === code ? amount_off : currency_options?.[code]?.amount_off) ?? null;
}
