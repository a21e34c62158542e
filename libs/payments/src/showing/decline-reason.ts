import { copyWith } from '@commerce/records';

import type { PaymentAttempt, PaymentRecord } from '../payments/payment.record.js';

/** The reply to customers in place of the reason of a decline, which helps those who try stolen cards. */
export const GENERIC_DECLINE = { code: 'generic_decline', message: 'The card was declined' } as const;

/** The payment as its customer sees it, without the reasons of declines. */
export function withoutDeclineReasons(payment: PaymentRecord): PaymentRecord {
  if (!payment.attempts.some(isDeclined)) return payment;
  const attempts = payment.attempts.map((attempt) =>
    isDeclined(attempt) ? { ...attempt, ...GENERIC_DECLINE, decline: null } : attempt,
  );
  return copyWith(payment, { attempts });
}

/** Whether the bank declined the card. Codes of this service contain a dot, those of the provider never do. */
export function isDeclined({ status, code }: PaymentAttempt): boolean {
  return status === 'FAILED' && code !== null && !code.includes('.');
}
