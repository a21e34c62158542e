import { exponentOf, minorStep } from './currency.js';
import { fault } from '../faults/fault.js';
import { ratio, ratioOfDecimal, ratioText, roundHalfAway, type Ratio } from './ratio.js';

/**
 * The largest amount, in minor units. A double represents 15 decimal digits exactly; with one more, an amount
 * could come out of the database as its neighbour.
 */
export const MAX_MINOR = 999_999_999_999_999;

/**
 * An amount in minor units: 19.99 EUR is 1999, 100 JPY is 100, 1.01 BHD is 1010. Never rounds.
 * @throws Fault `amount.invalid` for an amount that is not finite or too large, `amount.too_precise` for one with more
 * decimals than the currency or not a multiple of its step, `currency.unknown`
 */
export function toMinor(amount: number, currency: string): number {
  const exponent = exponentOf(currency);
  if (typeof amount !== 'number' || !Number.isFinite(amount)) {
    throw fault('amount.invalid', 'An amount must be a finite number', { currency });
  }
  const step = minorStep(currency);
  const nearest = Math.round(amount * 10 ** exponent);
  // Two decimals of 15 digits never have the same double: this one is the decimal of the amount. `+ 0` makes -0 0.
  const isExact = Math.abs(nearest) <= MAX_MINOR && nearest / 10 ** exponent === amount;
  if (isExact && nearest % step === 0) return nearest + 0;
  const { n, d } = ratioOfDecimal(amount);
  const scaled = ratio(n * 10n ** BigInt(exponent), d);
  if (scaled.d !== 1n || scaled.n % BigInt(step) !== 0n) {
    throw fault('amount.too_precise', `${amount} has more decimals than ${currency} allows`, {
      amount,
      currency,
      decimals: step === 10 ? exponent - 1 : exponent,
    });
  }
  return safeMinor(scaled.n);
}

/**
 * A sum computed by the database, in minor units. The database adds up doubles, so its sums may be off by far less than
 * the smallest unit.
 */
export function sumToMinor(sum: number, currency: string): number {
  return toMinor(Number(sum.toFixed(exponentOf(currency))), currency);
}

/** The amount in major units, as stored and shown. The inverse of `toMinor`. */
export function toMajor(minor: number, currency: string): number {
  // The division of two exact doubles rounds once and so yields the very double that the decimal text parses to.
  return minor === 0 ? 0 : minor / 10 ** exponentOf(currency);
}

/**
 * Rounds money: `value`, in minor units, to the currency's step, halves away from zero, so that a refund mirrors its
 * charge. Never -0, and the only function that rounds money.
 */
export function roundMoney(value: Ratio, currency: string): number {
  const step = BigInt(minorStep(currency));
  return safeMinor(roundHalfAway({ n: value.n, d: value.d * step }) * step);
}

/** True for a multiple of the currency's step that is not too large. */
export function isMinor(minor: number, currency: string): boolean {
  return Number.isSafeInteger(minor) && Math.abs(minor) <= MAX_MINOR && minor % minorStep(currency) === 0;
}

/**
 * One rounding, recorded for later checks of a charge. `exact` is a fraction `n/d` or an integer, `rounded` a decimal,
 * both in major units; `of` names the product or rate that was rounded.
 */
export interface RoundingStep {
  readonly rule: string;
  readonly of?: string;
  readonly exact: string;
  readonly rounded: number;
}

/** Rounds as `roundMoney` does and records the step. */
export function roundInto(
  steps: RoundingStep[],
  rule: string,
  value: Ratio,
  currency: string,
  of?: string,
): number {
  const rounded = roundMoney(value, currency);
  steps.push({
    rule,
    ...(of === undefined ? {} : { of }),
    exact: ratioText(ratio(value.n, value.d * 10n ** BigInt(exponentOf(currency)))),
    rounded: toMajor(rounded, currency),
  });
  return rounded;
}

function safeMinor(minor: bigint): number {
  const value = Number(minor);
  if (Math.abs(value) > MAX_MINOR) throw fault('amount.invalid', 'The amount is too large');
  return value;
}
