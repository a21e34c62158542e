import { quoteNumber, type AnyPaymentKey, type OpenPayment } from './open-payment.js';

/** The payments that are not settled yet, the oldest first. Of those for no quote, all but one are PROCESSING. */
export type OpenPayments = readonly OpenPayment[];

/** A bound on the payments whose results are awaited: a later charge waits for one of them. */
export const MAX_OPEN_PAYMENTS = 12;

/** The payments that collect charges: all but those of quotes. */
export function chargesOf(open: OpenPayments): OpenPayments {
  return open.filter((one) => quoteNumber(one) === null);
}

/** The charge that later ones wait for, or that makes way for them; null where there is none. */
export function collecting(open: OpenPayments): OpenPayment | null {
  return chargesOf(open).find(({ state }) => state !== 'PROCESSING') ?? null;
}

export function openNamed<P extends AnyPaymentKey>(open: readonly P[], key: AnyPaymentKey): P | null {
  return open.find((one) => isSame(one, key)) ?? null;
}

/** The payment of the quote with this number. */
export function openOfQuote(open: OpenPayments, number: number): OpenPayment | null {
  return open.find((one) => quoteNumber(one) === number) ?? null;
}

/** With this value in place of the payment, or at the end. */
export function withOpen(open: OpenPayments, payment: OpenPayment): OpenPayments {
  return openNamed(open, payment) === null
    ? [...open, payment]
    : open.map((one) => (isSame(one, payment) ? payment : one));
}

export function withoutOpen(open: OpenPayments, key: AnyPaymentKey): OpenPayments {
  return open.filter((one) => !isSame(one, key));
}

function isSame(a: AnyPaymentKey, b: AnyPaymentKey): boolean {
  return a.kind === b.kind && a.period_key === b.period_key;
}
