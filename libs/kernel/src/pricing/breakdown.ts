import { toMajor, toMinor } from '../money/money.js';

/**
 * The computation of an amount, stored with its payment so that anyone can check the charge: the parts of the sum, each
 * with its inputs and rounding steps. Plain JSON; amounts are decimals in major units.
 */
export interface AmountBreakdown<P extends { readonly amount: number }> {
  readonly currency: string;
  readonly amount: number;
  readonly parts: readonly P[];
}

/** The breakdown of the sum of the parts. */
export function breakdownOf<P extends { readonly amount: number }>(
  currency: string,
  parts: readonly P[],
): AmountBreakdown<P> {
  const minor = parts.reduce((sum, { amount }) => sum + toMinor(amount, currency), 0);
  return { currency, amount: toMajor(minor, currency), parts };
}
