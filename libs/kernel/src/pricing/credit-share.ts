import type { AmountBreakdown } from './breakdown.js';
import { toMajor, toMinor } from '../money/money.js';

/** The parts of a charge, in minor units. */
export interface CreditShare {
  /** The part that the balance would pay. */
  readonly credit_minor: number;
  /** The part that it pays: all of that, or nothing where the whole charge is too small for a card. */
  readonly applied_minor: number;
  /** The part for the card. */
  readonly rest_minor: number;
}

/**
 * Takes as much of the balance as a charge needs, and less where the card would otherwise pay too little.
 * `minimum_minor` is the least that the card provider charges.
 */
export function shareOf(
  amount_minor: number,
  balance_minor: number,
  { minimum_minor, canPay }: { readonly minimum_minor: number; readonly canPay: boolean },
): CreditShare {
  const credit_minor = Math.min(amount_minor, balance_minor);
  const rest_minor = amount_minor - credit_minor;
  if (rest_minor === 0) return { credit_minor, applied_minor: credit_minor, rest_minor };
  if (!canPay) return { credit_minor: 0, applied_minor: 0, rest_minor: amount_minor };
  if (rest_minor >= minimum_minor) return { credit_minor, applied_minor: credit_minor, rest_minor };
  if (amount_minor < minimum_minor) return { credit_minor, applied_minor: 0, rest_minor };
  const lowered_minor = amount_minor - minimum_minor;
  return { credit_minor: lowered_minor, applied_minor: lowered_minor, rest_minor: minimum_minor };
}

/** The credit in a breakdown, negative. */
interface CreditPart {
  readonly kind: 'credit';
  readonly amount: number;
}

/** The breakdown of the part that the card pays, with the credit as its last part. */
export function withCreditPart<P extends { readonly amount: number }>(
  breakdown: AmountBreakdown<P>,
  credit_minor: number,
): AmountBreakdown<P | CreditPart> {
  if (credit_minor === 0) return breakdown;
  const { amount, currency, parts } = breakdown;
  const part: CreditPart = { kind: 'credit', amount: toMajor(0 - credit_minor, currency) };
  return {
    ...breakdown,
    amount: toMajor(toMinor(amount, currency) - credit_minor, currency),
    parts: [...parts, part],
  };
}
