import { Fault, isCurrency, isFault, toMinor, type CouponOff, type FieldError } from '@commerce/kernel';

import type { CouponRecord } from './coupon.record.js';
import type { UpdateCouponBody } from './coupons.bodies.js';

/** Whether a coupon may be used and what it takes off then, or why it may not be. */
export type CouponVerdict =
  | { readonly applies: true; readonly off: CouponOff }
  | { readonly applies: false; readonly code: string; readonly message: string };

/**
 * Whether a coupon may be used for an order of this currency at this instant of the customer's time. That there is
 * a place left among its max_redemptions is no more than likely then: only a reservation makes it certain.
 */
export function couponApplies(
  coupon: Pick<
    CouponRecord,
    | 'active'
    | 'delete'
    | 'starting_date'
    | 'ending_date'
    | 'max_redemptions'
    | 'used_count'
    | 'currency'
    | 'percent_off'
    | 'amount_off'
  >,
  currency: string,
  now: Date,
): CouponVerdict {
  const { starting_date, ending_date, max_redemptions, used_count, percent_off, amount_off } = coupon;
  if (!coupon.active || coupon.delete) return refusal('inactive', 'The coupon is not active');
  if (now < starting_date) return refusal('not_started', 'The coupon cannot be used yet');
  if (ending_date !== null && now >= ending_date) {
    return refusal('expired', 'The coupon can no longer be used');
  }
  if (max_redemptions !== null && used_count >= max_redemptions) {
    return refusal('used_up', 'The coupon was used as often as it can be');
  }
  if (percent_off !== null) return { applies: true, off: { percent_off } };
  if (amount_off === null || coupon.currency !== currency) {
    return refusal('currency_differs', `The coupon is not for orders in ${currency}`);
  }
  return { applies: true, off: { amount_off } };
}

function refusal(reason: string, message: string): CouponVerdict {
  return { applies: false, code: `coupon.${reason}`, message };
}

/** The changes that a body asks for: the kind of discount that it gives takes the place of the other one. */
export function discountChanges({ percent_off, amount_off }: UpdateCouponBody): Partial<CouponRecord> {
  if (percent_off != null && amount_off === undefined) return { amount_off: null };
  if (amount_off != null && percent_off === undefined) return { percent_off: null };
  return {};
}

/** What of a coupon must fit together. */
type Judged = Pick<
  CouponRecord,
  'currency' | 'percent_off' | 'amount_off' | 'starting_date' | 'ending_date' | 'max_redemptions'
>;

/**
 * Checks what no single field tells. `promised` is how many redemptions are counted or reserved.
 * @throws Fault with one entry in `errors` for each bad field
 */
export function checkCoupon(coupon: Judged, promised: number): void {
  const { starting_date, ending_date, max_redemptions } = coupon;
  const errors = [...discountErrors(coupon), ...currencyErrors(coupon)];
  if (ending_date !== null && ending_date <= starting_date) {
    errors.push(bad('ending_date', 'value.invalid', 'must be after starting_date'));
  }
  if (max_redemptions !== null && max_redemptions < promised) {
    const reason = `must not be below ${String(promised)}, as often as the coupon was used or is about to be`;
    errors.push(bad('max_redemptions', 'coupon.used_more_often', reason));
  }
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
}

function discountErrors({ percent_off, amount_off }: Judged): FieldError[] {
  if (percent_off !== null && amount_off !== null) {
    return [bad('amount_off', 'coupon.two_discounts', 'and percent_off cannot both be given')];
  }
  if (percent_off === null && amount_off === null) {
    return [bad('percent_off', 'coupon.no_discount', 'or amount_off is needed')];
  }
  return [];
}

function currencyErrors({ currency, amount_off }: Judged): FieldError[] {
  if (currency === null) {
    return amount_off === null ? [] : [bad('currency', 'value.invalid', 'is needed with amount_off')];
  }
  if (!isCurrency(currency)) return [bad('currency', 'currency.unknown', 'is not an ISO 4217 currency')];
  if (amount_off === null) return [];
  try {
    toMinor(amount_off, currency);
    return [];
  } catch (error) {
    if (!isFault(error)) throw error;
    return [{ path: 'amount_off', code: error.code, message: `amount_off: ${error.message}` }];
  }
}

function bad(path: string, code: string, reason: string): FieldError {
  return { path, code, message: `${path} ${reason}` };
}
