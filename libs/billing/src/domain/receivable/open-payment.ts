import type { TaxShare } from '@commerce/kernel';

import type { PaymentKey, PeriodShare } from '../lines/payment-key.js';

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
}

/** The provider has been or will be called; nothing happens before its answer. */
export interface PaymentInFlight extends OpenedPayment {
  readonly state: 'IN_FLIGHT';
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

/** The payment that is not settled yet. There is at most one. */
export type OpenPayment = PaymentInFlight | PaymentToRetry | PaymentToAuthenticate;

/** The number of a payment that collects debt alone; null for any other. */
export function debtNumber({ kind, period_key }: Readonly<Record<keyof PaymentKey, string>>): number | null {
  const [, number] = /^debt-(\d+)$/.exec(period_key) ?? [];
  return kind !== 'period' || number === undefined ? null : Number(number);
}

/** The number of a payment for a change that takes effect once it is paid; null for any other. */
export function changeNumber({
  kind,
  period_key,
}: Readonly<Record<keyof PaymentKey, string>>): number | null {
  const [, number] = /^change-(\d+)$/.exec(period_key) ?? [];
  return kind !== 'proration' || number === undefined ? null : Number(number);
}

export function inFlight(open: OpenedPayment, attempts: number): PaymentInFlight {
  return { ...asOpened(open), attempts, state: 'IN_FLIGHT' };
}

export function toRetry(open: OpenedPayment, retry_at: Date): PaymentToRetry {
  return { ...asOpened(open), state: 'RETRYING', retry_at };
}

export function toAuthenticate(open: OpenedPayment, expires_at: Date | null): PaymentToAuthenticate {
  return { ...asOpened(open), state: 'REQUIRES_AUTH', expires_at };
}

/** Removes the fields that only one of the payment's states has. */
function asOpened(open: OpenedPayment): OpenedPayment {
  const { kind, period_key, amount_minor, debt_minor, own, attempts, since, counts, taxes } = open;
  const opened = { kind, period_key, amount_minor, debt_minor, own, attempts, since, counts };
  return taxes === undefined ? opened : { ...opened, taxes };
}
