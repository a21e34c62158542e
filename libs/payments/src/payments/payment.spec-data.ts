import { makeRecord, newId } from '@commerce/records';

import type { ChargeOutcome } from './charge-outcome.js';
import { PaymentRecord, type PaymentAttempt, type ProviderRequest } from './payment.record.js';
import { applyOutcome, type PaymentChanges } from './payment.rules.js';

export const NOW = new Date('2026-01-05T10:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const REQUEST: ProviderRequest = {
  number: 1,
  answered: false,
  opened_at: NOW,
  intent_id: null,
  replaces: null,
  customer_id: 'cus_1',
  method_id: 'pm_1',
  off_session: true,
};

export function attempt(number: number, change: Partial<PaymentAttempt> = {}): PaymentAttempt {
  return {
    number,
    at: NOW,
    payment_method: null,
    status: 'PROCESSING',
    code: null,
    message: null,
    decline: null,
    ...change,
  };
}

export function payment(change: Partial<PaymentRecord> = {}): PaymentRecord {
  const made = makeRecord(
    PaymentRecord,
    {
      company: newId(),
      user: newId(),
      kind: 'period',
      period_key: '0',
      status: 'PROCESSING',
      amount: 100,
      currency: 'EUR',
      attempts: [attempt(1)],
      metadata: { payment_intent_id: null, payment_method_id: 'pm_1' },
      provider: { name: 'stripe', intent_id: null, charge_id: null },
      request: REQUEST,
    },
    NOW,
  );
  return Object.assign(made, change);
}

export function after(before: PaymentRecord, changes: PaymentChanges | null): PaymentRecord {
  return Object.assign(Object.create(PaymentRecord.prototype) as PaymentRecord, before, changes);
}

export const settled = (
  before: PaymentRecord,
  outcome: ChargeOutcome,
  number = 1,
  now = NOW,
): PaymentRecord => after(before, applyOutcome(before, number, outcome, now));

export const SUCCESS: ChargeOutcome = { kind: 'succeeded', intent_id: 'pi_1', charge_id: 'ch_1' };
export const SOFT: ChargeOutcome = {
  kind: 'failed',
  decline: 'soft',
  code: 'insufficient_funds',
  message: 'no',
  intent_id: 'pi_1',
};
export const AUTH: ChargeOutcome = {
  kind: 'requires_auth',
  intent_id: 'pi_1',
  client_secret: 'pi_1_secret_x',
};
export const PENDING: ChargeOutcome = { kind: 'processing', intent_id: 'pi_1' };
export const UNKNOWN: ChargeOutcome = { kind: 'unknown', reason: 'timeout' };
