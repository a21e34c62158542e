import { copyWith } from '@commerce/records';

import type { PaymentAttempt, PaymentRecord } from './payment.record.js';

/** What customers are told instead of why a card was declined: the reasons help those who try stolen cards. */
export const GENERIC_DECLINE = { code: 'generic_decline', message: 'The card was declined' } as const;

/** The payment as its customer sees it: that a card was declined, but not why. */
export function withoutDeclineReasons(payment: PaymentRecord): PaymentRecord {
  if (!payment.attempts.some(isDeclined)) return payment;
  const attempts = payment.attempts.map((attempt) =>
    isDeclined(attempt) ? { ...attempt, ...GENERIC_DECLINE, decline: null } : attempt,
  );
  return copyWith(payment, { attempts });
}

/** Whether the bank declined the card. The codes of this service have a dot in them, those of the provider none. */
export function isDeclined({ status, code }: PaymentAttempt): boolean {
  return status === 'FAILED' && code !== null && !code.includes('.');
}
