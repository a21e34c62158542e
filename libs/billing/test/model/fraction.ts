/** Exact numbers: numerator over denominator, the denominator above 0. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

export function fraction(n: bigint | number, d: bigint | number = 1): Fraction {
  return { n: BigInt(n), d: BigInt(d) };
}

export const ZERO = fraction(0);

export function plus(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
}

export function times(a: Fraction, b: Fraction): Fraction {
  return { n: a.n * b.n, d: a.d * b.d };
}

export function isMore(a: Fraction, b: Fraction): boolean {
  return a.n * b.d > b.n * a.d;
}

/** The nearest multiple of `step`, halves away from zero (D6). */
export function rounded({ n, d }: Fraction, step: number): number {
  const unit = d * BigInt(step);
  const size = n < 0n ? -n : n;
  const steps = (2n * size + unit) / (2n * unit);
  return Number(n < 0n ? -steps : steps) * step;
}
