/** The purpose of a payment of a subscription. Together with `period_key` it is unique within the subscription. */
export type ChargeKind = 'setup' | 'period' | 'proration';

/**
 * Names a payment of the subscription: `setup/setup`, `period/0`, `proration/0-1`, `period/debt-1`,
 * `proration/change-1`.
 */
export interface PaymentKey {
  readonly kind: ChargeKind;
  readonly period_key: string;
}

/** What a payment asks for a period, by the key of the period (see periodKey). */
export interface PeriodShare {
  readonly of: string;
  readonly amount_minor: number;
}

/** The key as one text, unique within the subscription. */
export function paymentName({ kind, period_key }: PaymentKey): string {
  return `${kind}/${period_key}`;
}
