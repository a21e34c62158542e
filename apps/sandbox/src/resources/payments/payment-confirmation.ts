import { type Call, inPath, ok, type Reply, unexpectedState } from '../../http/call.js';
import * as read from '../../http/params.js';
import { badParameter } from '../../http/refusal.js';
import type { PaymentIntentRecord, PaymentMethodRecord } from '../../ledger/records.js';
import { namedMethod, usable } from '../customers/payment-methods.js';
import { refusal, render } from '../render.js';
import { requireEnough } from './amounts.js';
import { attemptCharge } from './charging.js';

export const USAGES = ['off_session', 'on_session'] as const;

/** The intent in the path, as long as it can still be charged, changed or canceled. */
export function openInPath(call: Call): PaymentIntentRecord {
  const intent = inPath(call, 'payment_intent');
  if (/^(succeeded|processing|canceled)$/.test(intent.status)) throw unexpectedState(call, intent);
  return intent;
}

/** true, one_off and recurring all mean that the customer is away. */
export function isOffSession({ params, caller }: Call): boolean {
  const value = params.off_session;
  const away = value === 'one_off' || value === 'recurring' || (read.flag(params, 'off_session') ?? false);
  if (away && caller === 'client')
    throw badParameter('off_session', 'Only the merchant can charge off session');
  return away;
}

/** Charges, and answers 402 with the intent inside where the charge is refused. */
export function charge(
  call: Call,
  intent: PaymentIntentRecord,
  method: PaymentMethodRecord | undefined,
  operation: string,
): Reply {
  if (method === undefined) throw unexpectedState(call, intent);
  const { tx, params, context } = call;
  const verdict = attemptCharge(tx, {
    intent,
    method,
    offSession: isOffSession(call),
    refuseAction: read.flag(params, 'error_on_requires_action') ?? false,
    operation,
    settleAfterMs: context.settleAfterMs,
  });
  const payment_intent = render(verdict.intent, tx);
  if (verdict.refusal === undefined) return ok(payment_intent, verdict.fault);
  return { status: 402, body: { error: { ...refusal(verdict.refusal, tx), payment_intent } } };
}

export function confirm(call: Call): Reply {
  const { params } = call;
  const present = openInPath(call);
  const intent = {
    ...present,
    ...read.replacedTexts(params, ['return_url', 'receipt_email'], present),
    setup_future_usage: read.choice(params, 'setup_future_usage', USAGES) ?? present.setup_future_usage,
  };
  requireEnough(call.tx, intent);
  const method = namedMethod(call, intent.customer) ?? keptMethod(call, intent);
  return charge(call, intent, method, intent.id);
}

/** The intent's own payment method; a customer who comes back to authenticate gets the refused one again. */
function keptMethod({ tx, caller }: Call, intent: PaymentIntentRecord): PaymentMethodRecord | undefined {
  const { error } = intent;
  const comesBack = caller === 'client' && error?.code === 'authentication_required';
  const id = intent.payment_method ?? (comesBack ? error.payment_method : undefined);
  const method = id === undefined ? undefined : tx.get('payment_method', id);
  return method && usable(method, intent.customer);
}
