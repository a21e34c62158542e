import { exponentOf, minorStep } from './currency.js';
import { fault } from './fault.js';
import { ratio, ratioOfDecimal, ratioText, roundHalfAway, type Ratio } from './ratio.js';

/**
 * The largest amount, in minor units. A double carries 15 decimal digits there and back; one digit more and an
 * amount could come out of the database as its neighbour.
 */
export const MAX_MINOR = 999_999_999_999_999;

/**
 * Minor units of an amount in major units: 19.99 EUR is 1999, 100 JPY is 100, 1.01 BHD is 1010.
 * Faults: `amount.invalid` (no finite number, or too large), `amount.too_precise` (more decimals than the currency
 * has, or no multiple of its step), `currency.unknown`. Never rounds.
 */
export function toMinor(amount: number, currency: string): number {
  const exponent = exponentOf(currency);
  if (typeof amount !== 'number' || !Number.isFinite(amount)) {
    throw fault('amount.invalid', 'An amount is a finite number', { currency });
  }
  const { n, d } = ratioOfDecimal(amount);
  const scaled = ratio(n * 10n ** BigInt(exponent), d);
  const step = minorStep(currency);
  if (scaled.d !== 1n || scaled.n % BigInt(step) !== 0n) {
    throw fault('amount.too_precise', `${amount} has more decimals than ${currency} amounts take`, {
      amount,
      currency,
      decimals: step === 10 ? exponent - 1 : exponent,
    });
  }
  return safeMinor(scaled.n);
}

/** The amount in major units, as it is stored and shown. The inverse of `toMinor`. */
export function toMajor(minor: number, currency: string): number {
  // One division of two exact doubles is rounded once, so it gives the very double that the decimal text reads as.
  return minor === 0 ? 0 : minor / 10 ** exponentOf(currency);
}

/**
 * The one rounding of money: `value` in minor units to the currency's step, halves away from zero, so that a
 * refund mirrors its charge. Never -0.
 */
export function roundMoney(value: Ratio, currency: string): number {
  const step = BigInt(minorStep(currency));
  return safeMinor(roundHalfAway({ n: value.n, d: value.d * step }) * step);
}

/** True when `minor` is a whole number of the currency's steps and not too large. */
export function isMinor(minor: number, currency: string): boolean {
  return Number.isSafeInteger(minor) && Math.abs(minor) <= MAX_MINOR && minor % minorStep(currency) === 0;
}

/**
 * One rounding, kept for whoever checks a charge later. `exact` is a fraction `n/d` or an integer, `rounded` a
 * decimal, both in major units; `of` names the product or rate it belongs to.
 */
export interface RoundingStep {
  readonly rule: string;
  readonly of?: string;
  readonly exact: string;
  readonly rounded: number;
}

/** Rounds as `roundMoney` does and writes the step down. */
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
