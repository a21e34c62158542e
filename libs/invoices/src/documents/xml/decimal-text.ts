import { exponentOf, multiplyRatio, ratio, ratioOfDecimal, type Ratio } from '@commerce/kernel';

/** EN 16931 allows amounts two decimals; currencies with three are counted in steps of 0.010. */
const AMOUNT_DECIMALS = 2;

/** The writer of amounts in this currency: 5 EUR is `5.00`, 500 JPY is `500`, 5 KWD is `5.00`. */
export function amountsIn(currency: string): (amount: number) => string {
  const decimals = Math.min(AMOUNT_DECIMALS, exponentOf(currency));
  return (amount) => decimalText(ratioOfDecimal(amount), decimals);
}

/** A rate as the number of percent: 0.055 is `5.5`. */
export function percentOf(rate: number): string {
  return decimalText(multiplyRatio(ratioOfDecimal(rate), ratio(100)));
}

/**
 * A fraction as a decimal.
 * @param decimals at least so many
 * @throws RangeError where no decimal is exactly the fraction
 */
export function decimalText({ n, d }: Ratio, decimals = 0): string {
  const places = Math.max(decimals, decimalsOf(d));
  const digits = ((n < 0n ? -n : n) * 10n ** BigInt(places)) / d;
  const text = digits.toString().padStart(places + 1, '0');
  const decimal = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  return n < 0n ? `-${decimal}` : decimal;
}

/** The decimals that a fraction with this denominator, in lowest terms, has. */
function decimalsOf(d: bigint): number {
  let rest = d;
  let decimals = 0;
  for (; 10n ** BigInt(decimals) % d !== 0n; decimals++) {
    if (rest % 2n !== 0n && rest % 5n !== 0n)
      throw new RangeError(`no decimal has the denominator ${String(d)}`);
    rest = rest % 10n === 0n ? rest / 10n : rest % 2n === 0n ? rest / 2n : rest / 5n;
  }
  return decimals;
}
