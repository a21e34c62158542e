import type { Payment } from './model';

/** The amounts of a payment that its next refund depends on, in major units. */
export interface Refundable {
  /** The most that the refund may give back. */
  readonly total: number;
  /** The part of it that the card paid; the rest was paid from the customer's balance. */
  readonly card: number;
  /** The amount that was paid and has not been refunded. */
  readonly paid: number;
  /** What refunds that failed owe. */
  readonly owed: number;
  /** What the one of them owes in whose place the refund is made; 0 without one. */
  readonly replaced: number;
}

type Paid = Pick<Payment, 'status' | 'amount' | 'credit_applied' | 'refunds' | 'currency'>;
type Refund = Paid['refunds'][number];

const NOTHING: Refundable = { total: 0, card: 0, paid: 0, owed: 0, replaced: 0 };

/** The refunds that failed and that the service still owes. */
export function owedRefundsOf({ refunds }: Pick<Paid, 'refunds'>): readonly Refund[] {
  return refunds.filter(({ owed }) => owed > 0);
}

/**
 * The rules of the service, so that the form shows the amounts before it is sent; the service checks them again.
 * @param insteadOf the key of the owed refund in whose place another is made; empty for none
 */
export function refundableOf(payment: Paid, insteadOf = ''): Refundable {
  const { status, amount, credit_applied, refunds, currency } = payment;
  if (status !== 'SUCCEEDED' && status !== 'PARTIALLY_REFUNDED') return NOTHING;
  const given = refunds.filter((one) => one.status !== 'FAILED');
  const sum = (rows: readonly Refund[]): number => rows.reduce((all, one) => all + one.amount, 0);
  const paid = rounded(amount + credit_applied - sum(given), currency);
  const owed = rounded(
    refunds.reduce((all, one) => all + one.owed, 0),
    currency,
  );
  const replaced = refunds.find(({ key }) => key === insteadOf)?.owed ?? 0;
  const total = Math.min(paid, rounded(paid - owed + replaced, currency));
  const card = rounded(amount - sum(given.filter(({ to }) => to !== 'balance')), currency);
  return { total, card: Math.max(0, Math.min(card, total)), paid, owed, replaced };
}

export interface Shares {
  readonly card: number;
  readonly balance: number;
  /** The amount that is still owed. */
  readonly owed: number;
  /** The amount that stays paid. */
  readonly kept: number;
}

/** Where an amount would go. */
export function sharesOf(
  { card, paid, owed, replaced }: Refundable,
  {
    amount,
    to,
    currency,
  }: { readonly amount: number; readonly to: 'card' | 'balance'; readonly currency: string },
): Shares {
  const toCard = to === 'card' ? Math.min(amount, card) : 0;
  const left = rounded(owed - Math.min(amount, replaced), currency);
  return {
    card: toCard,
    balance: rounded(amount - toCard, currency),
    owed: left,
    kept: rounded(paid - amount - left, currency),
  };
}

/** The number of decimals of a currency. */
export function digitsOf(currency: string): number {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  );
}

/** A sum of floating point numbers, without its error. */
function rounded(amount: number, currency: string): number {
  return Number(amount.toFixed(digitsOf(currency)));
}
