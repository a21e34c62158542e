import { Fault, currencyProblem, isFault, toMinor, type FieldError } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import type { CouponRecord } from './coupon.record.js';
import type { UpdateCouponBody } from './coupons.dto.js';

/**
 * The changes of an update besides its own fields: a discount of one kind replaces one of the other kind, and a duration
 * other than REPEATING its number of intervals.
 */
export function impliedChanges(body: UpdateCouponBody): Partial<CouponRecord> {
  const { percent_off, amount_off, duration, duration_in_intervals } = body;
  const changes: Partial<CouponRecord> = {};
  if (percent_off != null && amount_off === undefined) changes.amount_off = null;
  else if (amount_off != null && percent_off === undefined) changes.percent_off = null;
  const isWhole = duration !== undefined && duration !== 'REPEATING';
  if (isWhole && duration_in_intervals === undefined) changes.duration_in_intervals = null;
  return changes;
}

/** The fields of a coupon that must be consistent with each other. */
type CouponTerms = Pick<
  CouponRecord,
  | 'currency'
  | 'percent_off'
  | 'amount_off'
  | 'duration'
  | 'duration_in_intervals'
  | 'starting_date'
  | 'ending_date'
  | 'max_redemptions'
>;

/**
 * Checks rules that involve more than one field. `promised` is the number of redemptions made or reserved.
 * @throws Fault with one entry in `errors` for each bad field
 */
export function checkCoupon(coupon: CouponTerms, promised: number): void {
  const { starting_date, ending_date, max_redemptions } = coupon;
  const errors = [...discountErrors(coupon), ...currencyErrors(coupon), ...durationErrors(coupon)];
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

function durationErrors({ duration, duration_in_intervals }: CouponTerms): FieldError[] {
  if ((duration === 'REPEATING') === (duration_in_intervals !== null)) return [];
  const reason = duration === 'REPEATING' ? 'is required with REPEATING' : 'is for REPEATING only';
  return [bad('duration_in_intervals', 'value.invalid', reason)];
}

/**
 * Checks the plans or products that a coupon is limited to.
 * @param known the hexadecimal ids of those that exist
 * @throws Fault `plan.unknown` or `product.unknown` with one entry in `errors` for each id that is not known
 */
export function checkTargets(
  path: 'plans' | 'products',
  ids: readonly Id[],
  known: ReadonlySet<string>,
): void {
  const noun = path === 'plans' ? 'plan' : 'product';
  const errors = ids.flatMap((id, index) =>
    known.has(id.toHexString())
      ? []
      : [bad(`${path}.${String(index)}`, `${noun}.unknown`, `is not the id of a ${noun}`)],
  );
  if (errors[0]) throw new Fault(errors[0].code, errors[0].message, { errors });
}

function bad(path: string, code: string, reason: string): FieldError {
  return { path, code, message: `${path} ${reason}` };
}

/** The texts by which searches find a coupon. */
export function couponTexts({ code, name }: Pick<CouponRecord, 'code' | 'name'>): string[] {
  return [code, name ?? ''];
}
