import type { PaymentKey } from '../src/domain/lines/payment-key.js';

export function date(text: string): Date {
  return new Date(text.length === 10 ? `${text}T00:00:00Z` : `${text}Z`);
}

/** The date, with the time where it is not midnight. */
export function textOf(instant: Date): string {
  const iso = instant.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16);
}

export function nameOf({ kind, period_key }: PaymentKey): string {
  return `${kind}/${period_key}`;
}
