/** An exact fraction; `under` is above 0. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

export const NONE: Fraction = { over: 0n, under: 1n };

export function fraction(over: number, under = 1): Fraction {
  return { over: BigInt(over), under: BigInt(under) };
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return reduced(a.over * b.under + b.over * a.under, a.under * b.under);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { over: -b.over, under: b.under });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return reduced(a.over * b.over, a.under * b.under);
}

export function least(first: Fraction, ...others: readonly Fraction[]): Fraction {
  return others.reduce((a, b) => (isAbove(a, b) ? b : a), first);
}

export function isAbove(a: Fraction, b: Fraction): boolean {
  return a.over * b.under > b.over * a.under;
}

export function total(all: readonly Fraction[]): Fraction {
  return all.reduce(plus, NONE);
}

/** To the nearest integer; a half of an amount, which is never negative, goes up. */
export function rounded({ over, under }: Fraction): number {
  return Number((2n * over + under) / (2n * under));
}

function reduced(over: bigint, under: bigint): Fraction {
  let [a, b] = [over < 0n ? -over : over, under];
  while (b !== 0n) [a, b] = [b, a % b];
  return { over: over / a, under: under / a };
}
