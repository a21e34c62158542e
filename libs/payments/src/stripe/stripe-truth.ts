import Stripe from 'stripe';

import {
  BELOW_MINIMUM,
  INTENT_CANCELLED,
  TOO_LITTLE,
  type ChargeOutcome,
} from '../payments/charge-outcome.js';
import type { Dispute } from '../payments/owed-refund.rules.js';
import {
  KEY_REUSED,
  type BookedIntent,
  type IntentTruth,
  type MethodTruth,
  type OwedTag,
  type PaymentTag,
  type RefundTruth,
} from '../provider/card-provider.js';
import { declineOf } from './declines.js';
import { fromStripeAmount } from './stripe-amounts.js';

/** The decline of a failure that no card has caused: another try of the card cannot fix it. */
const OURS = 'hard';

/** The outcome of the last attempt of an intent, according to its state. */
export function outcomeOfIntent(intent: Stripe.PaymentIntent): ChargeOutcome {
  const intent_id = intent.id;
  switch (intent.status) {
    case 'succeeded':
      return { kind: 'succeeded', intent_id, charge_id: chargeId(intent) };
    case 'processing':
      return { kind: 'processing', intent_id };
    case 'requires_action':
      return authentication(intent);
    case 'requires_payment_method':
      return failureOf(intent);
    case 'canceled':
      return {
        kind: 'failed',
        decline: OURS,
        code: INTENT_CANCELLED,
        message: 'The payment was cancelled at the card provider',
        intent_id,
      };
    // No request of ours leads to these states.
    case 'requires_capture':
    case 'requires_confirmation':
    default:
      return { kind: 'unknown', reason: `the intent is ${intent.status}` };
  }
}

/**
 * The outcome of an intent without a payment method: its last error shows whether that was refused or must be
 * authenticated.
 */
function failureOf(intent: Stripe.PaymentIntent): ChargeOutcome {
  const error = intent.last_payment_error;
  if (error === null) return { kind: 'unknown', reason: 'the intent was never confirmed' };
  if (needsAuthentication(error)) return authentication(intent);
  const code = error.decline_code ?? error.code ?? 'card_declined';
  return {
    kind: 'failed',
    decline: declineOf(code, error.advice_code ?? null),
    code,
    message: error.message ?? 'The card was declined',
    intent_id: intent.id,
  };
}

function authentication(intent: Stripe.PaymentIntent): ChargeOutcome {
  if (intent.client_secret === null) return { kind: 'unknown', reason: 'the intent came without its secret' };
  return { kind: 'requires_auth', intent_id: intent.id, client_secret: intent.client_secret };
}

function needsAuthentication(error: { code?: string; decline_code?: string }): boolean {
  return error.code === 'authentication_required' || error.decline_code === 'authentication_required';
}

/**
 * The outcome of a charge after an error: only a deliberate answer of the provider is a failure; after anything else
 * the money may have moved, so it is unknown. `serious` marks errors that an operator must look at.
 */
export function outcomeOfError(error: unknown): { outcome: ChargeOutcome; serious: boolean } {
  if (error instanceof Stripe.errors.StripeCardError) return { outcome: cardError(error), serious: false };
  if (error instanceof Stripe.errors.StripeIdempotencyError) {
    return { outcome: refused(KEY_REUSED, error.message, null), serious: true };
  }
  if (error instanceof Stripe.errors.StripeInvalidRequestError) {
    // The state of the intent forbids the request: then that state is the answer.
    if (error.code === 'payment_intent_unexpected_state' && error.payment_intent) {
      return { outcome: outcomeOfIntent(error.payment_intent), serious: false };
    }
    const intent_id = error.payment_intent?.id ?? null;
    // The minimum in the currency of the settlement may be higher than the known one.
    if (error.code === 'amount_too_small')
      return { outcome: refused(BELOW_MINIMUM, TOO_LITTLE, intent_id), serious: false };
    const code = error.code ?? 'provider.request_refused';
    return { outcome: refused(code, error.message, intent_id), serious: true };
  }
  const serious =
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    !(error instanceof Stripe.errors.StripeError);
  return { outcome: { kind: 'unknown', reason: reasonOf(error), unsent: wasNotSent(error) }, serious };
}

/** Network errors before a connection existed. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** True where the provider has certainly done no work: it was unreachable, or refused to begin. */
export function wasNotSent(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeRateLimitError) return true;
  if (!(error instanceof Stripe.errors.StripeConnectionError)) return false;
  const cause: unknown = error.detail;
  const code: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && NO_CONNECTION.has(code);
}

function cardError(error: Stripe.errors.StripeCardError): ChargeOutcome {
  const intent = error.payment_intent;
  if (needsAuthentication(error)) {
    return intent
      ? authentication(intent)
      : { kind: 'unknown', reason: 'authentication of an unnamed intent' };
  }
  const code = error.decline_code || error.code || 'card_declined';
  return {
    kind: 'failed',
    decline: declineOf(code, error.advice_code ?? null),
    code,
    message: error.message,
    intent_id: intent?.id ?? null,
  };
}

function refused(code: string, message: string, intent_id: string | null): ChargeOutcome {
  return { kind: 'failed', decline: OURS, code, message: message.slice(0, 1024), intent_id };
}

/** The error's message without the request. */
export function reasonOf(error: unknown): string {
  if (error instanceof Stripe.errors.StripeError) {
    return `${error.type} ${String(error.statusCode ?? '')} ${error.code ?? ''}`.trim().replace(/\s+/g, ' ');
  }
  return error instanceof Error ? error.name : 'not an error';
}

/** The loggable facts of an error: the error itself carries the intent, and with it the client secret. */
export function factsOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) return { error };
  const { type, statusCode, code, param, requestId, message } = error;
  return { type, status: statusCode, code, param, provider_request: requestId, reason: message };
}

export function truthOfIntent(intent: Stripe.PaymentIntent): IntentTruth {
  return {
    intent_id: intent.id,
    tag: tagOf(intent.metadata),
    amount_minor: fromStripeAmount(intent.amount, intent.currency),
    currency: intent.currency.toUpperCase(),
    outcome: outcomeOfIntent(intent),
  };
}

export function truthOfRefund(refund: Stripe.Refund, currency: string): RefundTruth {
  return {
    refund_id: refund.id,
    key: refund.metadata?.['refund'] ?? null,
    amount_minor: fromStripeAmount(refund.amount, currency),
    status: refundStatus(refund.status),
  };
}

function refundStatus(status: string | null): RefundTruth['status'] {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
}

export function truthOfMethod(method: Stripe.PaymentMethod): MethodTruth {
  const { card } = method;
  return {
    method_id: method.id,
    customer_id: idOfExpandable(method.customer),
    type: method.type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? null,
    exp_month: card?.exp_month ?? null,
    exp_year: card?.exp_year ?? null,
    country: card?.country ?? null,
    fingerprint: card?.fingerprint ?? null,
  };
}

export function bookedIntent(intent: Stripe.PaymentIntent): BookedIntent {
  return {
    ...truthOfIntent(intent),
    created: new Date(intent.created * 1000),
    customer_id: idOfExpandable(intent.customer),
    method_id: idOfExpandable(intent.payment_method),
    owed: owedOf(intent.metadata),
  };
}

export function metadataOf(tag: PaymentTag): Record<string, string> {
  return { ...tag.about, company: tag.company, payment: tag.payment, attempt: String(tag.attempt) };
}

export function owedMetadata(owed: OwedTag): Record<string, string> {
  const { subscription, order, kind, period_key, credit_minor, coupon } = owed;
  return {
    ...(subscription === null ? {} : { subscription }),
    ...(order === null ? {} : { order }),
    kind,
    period_key,
    ...(credit_minor === 0 ? {} : { credit: String(credit_minor) }),
    ...(coupon === null ? {} : { coupon }),
  };
}

function owedOf(metadata: Stripe.Metadata): OwedTag | null {
  const { subscription = null, order = null, kind, period_key, credit = '0', coupon = null } = metadata;
  if (kind === undefined || period_key === undefined) return null;
  const credit_minor = /^\d{1,15}$/.test(credit) ? Number(credit) : 0;
  return { subscription, order, kind, period_key, credit_minor, coupon };
}

function tagOf(metadata: Stripe.Metadata): PaymentTag | null {
  const { company, payment, attempt } = metadata;
  if (company === undefined || payment === undefined) return null;
  return { company, payment, attempt: Number(attempt ?? 1) };
}

/** The dispute of a charge, which may have had an inquiry before. */
export function disputeOf(disputes: readonly Stripe.Dispute[]): Dispute {
  const holding = disputes.filter(holdsMoney);
  if (holding.length === 0) return 'none';
  return holding.some(({ status }) => status === 'lost') ? 'lost' : 'open';
}

/** An inquiry does not withhold money yet; a dispute that was won returned it. */
function holdsMoney(dispute: Stripe.Dispute): boolean {
  return !dispute.status.startsWith('warning_') && dispute.status !== 'won' && dispute.status !== 'prevented';
}

function chargeId(intent: Stripe.PaymentIntent): string | null {
  return idOfExpandable(intent.latest_charge);
}

function idOfExpandable(value: string | { id: string } | null): string | null {
  return typeof value === 'object' && value !== null ? value.id : value;
}
