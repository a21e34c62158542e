import { timingSafeEqual, hash } from 'node:crypto';

import type { PlainObject } from '@commerce/kernel';
import { type Shown } from '@commerce/data';
import { copyWith } from '@commerce/records';

import type { PaymentRecord } from '../payments/payment.record.js';
import { eventOf, type PaymentChanges } from '../payments/payment.rules.js';

/**
 * Adds the client secret, with which anyone can authenticate the payment, to its `metadata`. It is excluded from lists,
 * logs and previous_data, and shown in three places only: the event payment.requires_auth, the owner's own read, and
 * the reply to a customer who is present to authenticate.
 */
export function withClientSecret(payment: PaymentRecord): PaymentRecord {
  if (payment.status !== 'REQUIRES_AUTH' || payment.client_secret === null) return payment;
  const metadata = complete(payment.metadata, payment.client_secret);
  return copyWith(payment, { metadata });
}

/** The fields that an event shows beside the record: the secret, in the one event that asks for authentication. */
export function shownInEvent(before: PaymentRecord, changes: PaymentChanges): Shown | undefined {
  const secret = changes.client_secret;
  const asks = eventOf(before, changes) === 'payment.requires_auth';
  if (!asks || typeof secret !== 'string') return undefined;
  return (object) => ({ ...object, metadata: complete(object['metadata'] as PlainObject, secret) });
}

/** Compares in constant time for any lengths. A missing secret equals nothing, not even ''. */
export function sameSecret(given: string, kept: string | null): boolean {
  const equal = timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', kept ?? '', 'buffer'));
  return equal && kept !== null;
}

function complete<M extends object>(metadata: M, secret: string): M & { intent_client_secret: string } {
  return { ...metadata, intent_client_secret: secret };
}
