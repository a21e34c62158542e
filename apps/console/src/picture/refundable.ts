import type { Payment } from './model';

/** The rest of a payment that can still be given back beside what is owed, in major units. */
export interface Refundable {
  readonly total: number;
  /** The part of it that the card paid; the rest was paid from the customer's balance. */
  readonly card: number;
}

type Paid = Pick<Payment, 'status' | 'amount' | 'credit_applied' | 'refunds' | 'currency'>;

const NOTHING: Refundable = { total: 0, card: 0 };

/** The rules of the service, so that the form shows the amounts before it is sent; the service checks them again. */
export function refundableOf({ status, amount, credit_applied, refunds, currency }: Paid): Refundable {
  if (status !== 'SUCCEEDED' && status !== 'PARTIALLY_REFUNDED') return NOTHING;
  const given = refunds.filter((one) => one.status !== 'FAILED');
  const sum = (rows: typeof given): number => rows.reduce((all, one) => all + one.amount, 0);
  const owed = refunds.reduce((all, one) => all + one.owed, 0);
  const total = rounded(amount + credit_applied - sum(given) - owed, currency);
  const card = rounded(amount - sum(given.filter(({ to }) => to !== 'balance')), currency);
  return { total, card: Math.max(0, Math.min(card, total)) };
}

export interface Shares {
  readonly card: number;
  readonly balance: number;
  /** The amount that stays paid. */
  readonly kept: number;
}

/** Where an amount would go. */
export function sharesOf(
  { total, card }: Refundable,
  {
    amount,
    to,
    currency,
  }: { readonly amount: number; readonly to: 'card' | 'balance'; readonly currency: string },
): Shares {
  const toCard = to === 'card' ? Math.min(amount, card) : 0;
  return {
    card: toCard,
    balance: rounded(amount - toCard, currency),
    kept: rounded(total - amount, currency),
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
