import { Fault, currencyProblem, isFault, toMinor, type CouponOff, type FieldError } from '@commerce/kernel';

import type { CouponRecord } from './coupon.record.js';
import type { UpdateCouponBody } from './coupons.dto.js';

/** The discount that a coupon gives, or the reason why it cannot be used. */
export type CouponCheck =
  | { readonly applies: true; readonly off: CouponOff }
  | { readonly applies: false; readonly code: string; readonly message: string };

/**
 * Whether a coupon can be used for an order in this currency at this instant of the customer's time. Others may still
 * use it up in the meantime: only a reservation prevents that.
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
): CouponCheck {
  const { starting_date, ending_date, max_redemptions, used_count, percent_off, amount_off } = coupon;
  if (!coupon.active || coupon.delete) return notApplicable('coupon.inactive', 'The coupon is not active');
  if (now < starting_date) return notApplicable('coupon.not_started', 'The coupon cannot be used yet');
  if (ending_date !== null && now >= ending_date) {
    return notApplicable('coupon.expired', 'The coupon can no longer be used');
  }
  if (max_redemptions !== null && used_count >= max_redemptions) {
    return notApplicable('coupon.used_up', 'The coupon has been used as often as it can be');
  }
  if (percent_off !== null) return { applies: true, off: { percent_off } };
  if (amount_off === null || coupon.currency !== currency) {
    return notApplicable('coupon.currency_differs', `The coupon is not for orders in ${currency}`);
  }
  return { applies: true, off: { amount_off } };
}

function notApplicable(code: string, message: string): CouponCheck {
  return { applies: false, code, message };
}

/** The changes of an update besides its own fields: a discount of one kind replaces one of the other kind. */
export function discountChanges({ percent_off, amount_off }: UpdateCouponBody): Partial<CouponRecord> {
  if (percent_off != null && amount_off === undefined) return { amount_off: null };
  if (amount_off != null && percent_off === undefined) return { percent_off: null };
  return {};
}

/** The fields of a coupon that must be consistent with each other. */
type CouponTerms = Pick<
  CouponRecord,
  'currency' | 'percent_off' | 'amount_off' | 'starting_date' | 'ending_date' | 'max_redemptions'
>;

/**
 * Checks rules that involve more than one field. `promised` is the number of redemptions made or reserved.
 * @throws Fault with one entry in `errors` for each bad field
 */
export function checkCoupon(coupon: CouponTerms, promised: number): void {
  const { starting_date, ending_date, max_redemptions } = coupon;
  const errors = [...discountErrors(coupon), ...currencyErrors(coupon)];
  if (ending_date !== null && ending_date <= starting_date) {
    errors.push(bad('ending_date', 'value.invalid', 'must be after starting_date'));
  }
  if (max_redemptions !== null && max_redemptions < promised) {
    const reason = `must be at least ${String(promised)}, the number of redemptions made or reserved`;
    errors.push(bad('max_redemptions', 'coupon.used_more_often', reason));
  }
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
}

function discountErrors({ percent_off, amount_off }: CouponTerms): FieldError[] {
  if (percent_off !== null && amount_off !== null) {
    return [bad('amount_off', 'coupon.two_discounts', 'and percent_off cannot both be given')];
  }
  if (percent_off === null && amount_off === null) {
    return [bad('percent_off', 'coupon.no_discount', 'or amount_off is required')];
  }
  return [];
}

function currencyErrors({ currency, amount_off }: CouponTerms): FieldError[] {
  if (currency === null) {
    return amount_off === null ? [] : [bad('currency', 'value.invalid', 'is required with amount_off')];
  }
  const problem = currencyProblem(currency);
  if (problem !== null) {
    return [{ path: 'currency', code: problem.code, message: `currency: ${problem.message}` }];
  }
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

/** The texts by which searches find a coupon. */
export function couponTexts({ code, name }: Pick<CouponRecord, 'code' | 'name'>): string[] {
  return [code, name ?? ''];
}
