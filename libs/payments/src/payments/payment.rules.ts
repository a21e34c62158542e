import { fault, type EventKind } from '@commerce/kernel';

import { BELOW_MINIMUM, INTENT_CANCELLED, type ChargeOutcome } from './charge-outcome.js';
import { nextCheck, nextSend } from './reconcile-schedule.js';
import type { PaymentAttempt, PaymentRecord, PaymentStatus, ProviderRequest } from './payment.record.js';
import { withCheck } from './check-dates.js';

export type PaymentChanges = Partial<PaymentRecord>;

/** The money has been captured. Later outcomes never undo that; refunds and disputes come on top. */
export function isCollected(status: PaymentStatus): boolean {
  switch (status) {
    case 'SUCCEEDED':
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
    case 'DISPUTED':
      return true;
    case 'CREATED':
    case 'PROCESSING':
    case 'FAILED':
    case 'REQUIRES_AUTH':
    case 'UNKNOWN':
      return false;
  }
}

/** An attempt is in flight, and its outcome is unknown. */
export function isInFlight(status: PaymentStatus): boolean {
  return status === 'CREATED' || status === 'PROCESSING' || status === 'UNKNOWN';
}

/** The provider has accepted the payment, and reports its result later. */
export function isAwaited({ status, request }: Pick<PaymentRecord, 'status' | 'request'>): boolean {
  return status === 'PROCESSING' && request?.answered === true;
}

/** Another attempt may be made, or the payment be abandoned. */
export function isWaiting(payment: PaymentRecord): boolean {
  return (payment.status === 'FAILED' && !payment.abandoned) || payment.status === 'REQUIRES_AUTH';
}

/** The intent that can still collect money; null when there is none. */
export function usableIntent({ attempts, provider, cancelled_intent }: PaymentRecord): string | null {
  const { intent_id } = provider;
  const gone = attempts.at(-1)?.code === INTENT_CANCELLED || cancelled_intent === intent_id;
  return gone ? null : intent_id;
}

/**
 * Requests the cancellation of the usable intent, if any; the reconciler cancels it at `checkAt` if no other process
 * has.
 */
export function cancelIntent(
  payment: PaymentRecord,
  checkAt: Date,
): Pick<PaymentRecord, 'cancel_intent' | 'cancel_check' | 'check_at'> {
  const cancel_intent = usableIntent(payment);
  const cancel_check = cancel_intent === null ? null : { at: checkAt, tries: 0 };
  return withCheck(payment, { cancel_intent, cancel_check });
}

/** Card networks charge a merchant for more attempts of one payment within 30 days. */
const MOST_ATTEMPTS = 15;

/**
 * Bounds the attempts of an order's payment, which a customer makes. A subscription's plan bounds its own.
 * @throws Fault `payment.too_many_attempts`
 */
export function requireAttemptLeft({ order, attempts }: PaymentRecord): void {
  if (order === null || attempts.length < MOST_ATTEMPTS) return;
  const message = 'This payment was tried as often as it may be; cancel the order and make another one';
  throw fault('payment.too_many_attempts', message, { limit: MOST_ATTEMPTS });
}

export function currentAttempt(payment: PaymentRecord): number {
  return payment.attempts.at(-1)?.number ?? 0;
}

/**
 * The changes that follow from the outcome of one attempt; null when there are none. Success is final and counts for
 * any attempt, other outcomes count for the current attempt only, so outcomes may come twice, late and in any order.
 * @param now real time
 */
export function applyOutcome(
  payment: PaymentRecord,
  attempt: number,
  outcome: ChargeOutcome,
  now: Date,
): PaymentChanges | null {
  if (isCollected(payment.status)) return null;
  if (outcome.kind === 'succeeded') return succeed(payment, attempt, outcome);
  if (attempt !== currentAttempt(payment) || payment.status === 'FAILED') return null;
  switch (outcome.kind) {
    case 'failed':
      return fail(payment, outcome, now);
    case 'requires_auth':
      return requireAuthentication(payment, outcome, now);
    case 'processing':
      return goOn(payment, outcome.intent_id, now);
    case 'unknown':
      return (outcome.unsent && sendAgain(payment, now)) || leaveUnknown(payment, outcome.reason, now);
  }
}

function succeed(
  payment: PaymentRecord,
  attempt: number,
  outcome: Extract<ChargeOutcome, { kind: 'succeeded' }>,
): PaymentChanges {
  const attempts = payment.attempts.map((one): PaymentAttempt => {
    if (one.number === attempt)
      return { ...one, status: 'SUCCEEDED', code: null, message: null, decline: null };
    return one.status === 'FAILED' ? one : superseded(one);
  });
  const reference = { ...payment.provider, intent_id: outcome.intent_id, charge_id: outcome.charge_id };
  const changes: PaymentChanges = {
    status: 'SUCCEEDED',
    attempts,
    provider: reference,
    metadata: { ...payment.metadata, payment_intent_id: outcome.intent_id },
    request: answered(payment.request),
    checks: 0,
  };
  if (payment.cancel_intent === outcome.intent_id) changes.cancel_intent = null;
  return withCheck(payment, changes);
}

/** Ends the current attempt without success. */
function fail(
  payment: PaymentRecord,
  why: Extract<ChargeOutcome, { kind: 'failed' }>,
  now: Date,
): PaymentChanges {
  const { code, message, decline, intent_id } = why;
  return withCheck(payment, {
    status: 'FAILED',
    attempts: withLast(payment, { status: 'FAILED', code, message, decline }),
    ...withIntent(payment, intent_id),
    ...(code === BELOW_MINIMUM ? ended({ ...payment, ...withIntent(payment, intent_id) }, now) : {}),
    request: answered(payment.request),
    checks: 0,
  });
}

/** No card can pay so little: the payment is abandoned, and its intent, if any, cancelled. */
function ended(payment: PaymentRecord, now: Date): PaymentChanges {
  return { abandoned: true, ...cancelIntent(payment, now) };
}

function requireAuthentication(
  payment: PaymentRecord,
  outcome: Extract<ChargeOutcome, { kind: 'requires_auth' }>,
  now: Date,
): PaymentChanges {
  return withCheck(payment, {
    status: 'REQUIRES_AUTH',
    attempts: withLast(payment, {
      status: 'REQUIRES_AUTH',
      code: 'authentication_required',
      message: 'The customer must authenticate this payment',
      decline: null,
    }),
    ...withIntent(payment, outcome.intent_id),
    client_secret: outcome.client_secret,
    request: answered(payment.request),
    checks: 0,
    charge_check_at: later(payment, now),
  });
}

function goOn(payment: PaymentRecord, intentId: string, now: Date): PaymentChanges {
  return withCheck(payment, {
    status: 'PROCESSING',
    attempts: withLast(payment, { status: 'PROCESSING', code: null, message: null, decline: null }),
    ...withIntent(payment, intentId),
    request: answered(payment.request),
    checks: 0,
    charge_check_at: later(payment, now),
  });
}

/** Sends the unchanged request again; null after too many tries, or where it had been answered before. */
function sendAgain(payment: PaymentRecord, now: Date): PaymentChanges | null {
  const { request, status } = payment;
  if (request === null || request.answered || status === 'UNKNOWN') return null;
  const unsent = request.unsent ?? 0;
  const charge_check_at = nextSend(unsent, now);
  if (charge_check_at === null) return null;
  return withCheck(payment, { request: { ...request, unsent: unsent + 1 }, charge_check_at });
}

/** A missing answer does not change a known outcome. */
function leaveUnknown(payment: PaymentRecord, reason: string, now: Date): PaymentChanges {
  const checks = payment.checks + 1;
  const charge_check_at = later(payment, now);
  if (payment.request === null || payment.request.answered) {
    return withCheck(payment, { checks, charge_check_at });
  }
  return withCheck(payment, {
    status: 'UNKNOWN',
    attempts: withLast(payment, {
      status: 'UNKNOWN',
      code: 'provider.no_answer',
      message: reason,
      decline: null,
    }),
    checks,
    charge_check_at,
  });
}

/** Date of the next check of a payment that stays open. */
export function later(payment: PaymentRecord, now: Date): Date {
  return nextCheck(payment.request?.opened_at ?? now, now);
}

/**
 * Whether the state of an intent decides the current attempt. While an older intent is being confirmed again, its
 * refusal may still be that of the attempt before.
 */
export function isConclusive(payment: PaymentRecord, outcome: ChargeOutcome): boolean {
  const { request } = payment;
  switch (outcome.kind) {
    case 'succeeded':
    case 'processing':
      return true;
    case 'unknown':
      return false;
    case 'failed':
    case 'requires_auth':
      return request === null || request.answered || request.intent_id === null;
  }
}

/** The event that reports a change. */
export function eventOf(before: PaymentRecord, changes: PaymentChanges): EventKind {
  const { status } = changes;
  if (status === undefined || status === before.status) return 'payment.updated';
  if (status === 'PROCESSING') return 'payment.processing';
  if (status === 'REQUIRES_AUTH' && !isOrderInSession(before)) return 'payment.requires_auth';
  return status === 'SUCCEEDED' && !isCollected(before.status) ? 'payment.succeeded' : 'payment.updated';
}

/** The reply to the request that pays an order in session asks for authentication itself. */
function isOrderInSession({ order, request }: PaymentRecord): boolean {
  return order !== null && request?.off_session === false;
}

/** The attempts, with the last one changed. */
export function withLast(payment: PaymentRecord, change: Partial<PaymentAttempt>): PaymentAttempt[] {
  const last = payment.attempts.length - 1;
  return payment.attempts.map((one, index) => (index === last ? { ...one, ...change } : one));
}

/** The attempt as failed, because another one has replaced it. */
export function superseded(attempt: PaymentAttempt): PaymentAttempt {
  return {
    ...attempt,
    status: 'FAILED',
    code: 'attempt.superseded',
    message: 'Another attempt took its place',
    decline: null,
  };
}

function withIntent(payment: PaymentRecord, intentId: string | null): PaymentChanges {
  if (intentId === null) return {};
  return {
    provider: { ...payment.provider, intent_id: intentId },
    metadata: { ...payment.metadata, payment_intent_id: intentId },
  };
}

function answered(request: ProviderRequest | null): ProviderRequest | null {
  return request === null ? null : { ...request, answered: true };
}

/** True for a payment that was written back from the provider's books. */
export function isRestored({ breakdown }: Pick<PaymentRecord, 'breakdown'>): boolean {
  return 'restored_from' in breakdown;
}
