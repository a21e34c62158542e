import type { TaxShare } from '@commerce/kernel';

import type { PaymentKey, PeriodShare } from '../lines/payment-key.js';
import type { Refund } from '../lines/period-credits.js';

/** A credit against a payment whose result is awaited: given back once it succeeds, no debt where it fails. */
export type AwaitedCredit = Omit<Refund, 'payment'>;

/** The fields of a payment known when it is opened. */
export interface OpenedPayment extends PaymentKey {
  readonly amount_minor: number;
  /** Debt of earlier payments included in the amount. It stays in outstanding_amount until this payment succeeds. */
  readonly debt_minor: number;
  /** The parts of the amount for periods; the rest is debt or setup fee. */
  readonly own: readonly PeriodShare[];
  readonly attempts: number;
  /** Date of the first attempt; retries are counted from here. */
  readonly since: Date;
  /** Whether its final failure counts as a failed period. */
  readonly counts: boolean;
  /** The amounts of each rate, in minor units, without the debt; absent where the rates of products are set by hand. */
  readonly taxes?: readonly TaxShare[];
  /** What was credited while it was PROCESSING; absent where nothing was. */
  readonly credits?: readonly AwaitedCredit[];
}

/** The provider has been or will be called; nothing happens before its answer. */
export interface PaymentInFlight extends OpenedPayment {
  readonly state: 'IN_FLIGHT';
}

/** The provider has accepted the payment, and its result may take days. Only its retry and new cards wait for that. */
export interface PaymentInProcess extends OpenedPayment {
  readonly state: 'PROCESSING';
}

export interface PaymentToRetry extends OpenedPayment {
  readonly state: 'RETRYING';
  readonly retry_at: Date;
}

/** The customer must act. Unless another event ends it earlier, the payment is abandoned at `expires_at`. */
export interface PaymentToAuthenticate extends OpenedPayment {
  readonly state: 'REQUIRES_AUTH';
  readonly expires_at: Date | null;
}

/** A payment that is not settled yet. */
export type OpenPayment = PaymentInFlight | PaymentInProcess | PaymentToRetry | PaymentToAuthenticate;

/** The key of a payment that may be for something other than a subscription. */
export type AnyPaymentKey = Readonly<Record<keyof PaymentKey, string>>;

/** The number of a payment that collects debt alone; null for any other. */
export function debtNumber({ kind, period_key }: AnyPaymentKey): number | null {
  const [, number] = /^debt-(\d+)$/.exec(period_key) ?? [];
  return kind !== 'period' || number === undefined ? null : Number(number);
}

/** The number of a payment for a quote: a change or start that takes effect once it is paid; null for any other. */
export function quoteNumber({ period_key }: Pick<AnyPaymentKey, 'period_key'>): number | null {
  const [, number] = /^(?:change|start)-(\d+)$/.exec(period_key) ?? [];
  return number === undefined ? null : Number(number);
}

/** The part of a payment that becomes debt where it fails: that which neither is debt already nor was credited. */
export function newDebtMinor({ amount_minor, debt_minor, credits = [] }: OpenedPayment): number {
  return credits.reduce((left, credit) => left - credit.amount_minor, amount_minor - debt_minor);
}

export function inFlight(open: OpenedPayment, attempts: number): PaymentInFlight {
  return { ...asOpened(open), attempts, state: 'IN_FLIGHT' };
}

export function inProcess(open: OpenedPayment): PaymentInProcess {
  return { ...asOpened(open), state: 'PROCESSING' };
}

export function toRetry(open: OpenedPayment, retry_at: Date): PaymentToRetry {
  return { ...asOpened(open), state: 'RETRYING', retry_at };
}

export function toAuthenticate(open: OpenedPayment, expires_at: Date | null): PaymentToAuthenticate {
  return { ...asOpened(open), state: 'REQUIRES_AUTH', expires_at };
}

/** Removes the fields that only one of the payment's states has. */
function asOpened(open: OpenedPayment): OpenedPayment {
  const { kind, period_key, amount_minor, debt_minor, own, attempts, since, counts, taxes, credits } = open;
  const opened = { kind, period_key, amount_minor, debt_minor, own, attempts, since, counts };
  return { ...opened, ...(taxes && { taxes }), ...(credits && { credits }) };
}
