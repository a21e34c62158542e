/**
 * An exact fraction in lowest terms; `d` is positive. Prices are divided, discounted and split as fractions and
 * rounded once at the end: with binary floating-point numbers, representation errors would decide how halves round.
 */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

/** The fraction `n/d` in lowest terms. A `d` of 0 is a programming error: RangeError. */
export function ratio(n: bigint | number, d: bigint | number = 1n): Ratio {
  return lowest(BigInt(n), BigInt(d));
}

export const ZERO: Ratio = { n: 0n, d: 1n };
export const ONE: Ratio = { n: 1n, d: 1n };

export function addRatio(a: Ratio, b: Ratio): Ratio {
  return a.d === b.d ? lowest(a.n + b.n, a.d) : lowest(a.n * b.d + b.n * a.d, a.d * b.d);
}

export function subtractRatio(a: Ratio, b: Ratio): Ratio {
  return addRatio(a, { n: -b.n, d: b.d });
}

export function multiplyRatio(a: Ratio, b: Ratio): Ratio {
  return lowest(a.n * b.n, a.d * b.d);
}

/** `a / b`; RangeError when `b` is 0. */
export function divideRatio(a: Ratio, b: Ratio): Ratio {
  return lowest(a.n * b.d, a.d * b.n);
}

/** -1, 0 or 1 for `a` less than, equal to or greater than `b`. */
export function compareRatio(a: Ratio, b: Ratio): -1 | 0 | 1 {
  const difference = a.n * b.d - b.n * a.d;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/**
 * The decimal text of a number: 0.1 is 1/10, not the nearest double. Up to 15 digits, the shortest text that parses to
 * the same double is the text that was in the JSON.
 * @throws RangeError for NaN and infinities
 */
export function ratioOfDecimal(value: number): Ratio {
  const written = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value));
  if (!written) throw new RangeError(`${value} is not a finite number`);
  const [, sign = '', whole = '0', decimals = '', exponent = '0'] = written;
  const digits = BigInt(sign + whole + decimals);
  const power = Number(exponent) - decimals.length;
  return power >= 0 ? { n: digits * 10n ** BigInt(power), d: 1n } : lowest(digits, 10n ** BigInt(-power));
}

/** Whether a decimal is a whole number of steps, exactly: 0.3 is three steps of 0.1. RangeError for a step of 0. */
export function isWholeSteps(value: number, step: number): boolean {
  return divideRatio(ratioOfDecimal(value), ratioOfDecimal(step)).d === 1n;
}

/** The nearest integer, halves away from zero: 5/2 is 3, -5/2 is -3. */
export function roundHalfAway({ n, d }: Ratio): bigint {
  const magnitude = ((n < 0n ? -n : n) * 2n + d) / (d * 2n);
  return n < 0n ? -magnitude : magnitude;
}

/** `n/d`, or the integer alone. */
export function ratioText({ n, d }: Ratio): string {
  return d === 1n ? n.toString() : `${n.toString()}/${d.toString()}`;
}

function lowest(n: bigint, d: bigint): Ratio {
  if (d === 0n) throw new RangeError('The denominator of a fraction cannot be 0');
  if (d === 1n) return { n, d };
  const divisor = greatestCommonDivisor(n, d) * (d < 0n ? -1n : 1n);
  return { n: n / divisor, d: d / divisor };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
