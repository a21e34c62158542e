import { type Call, ok, type Reply, type Settings } from '../http/call.js';
import * as read from '../http/params.js';
import { badParameter, missingInPath, wrongState } from '../http/refusal.js';
import type { PaymentIntentRecord, PaymentMethodRecord } from '../ledger/records.js';
import { attemptCharge } from './charging.js';
import { requireEnough } from './minimums.js';
import { namedMethod, usable } from './payment-methods.js';
import { renderPaymentIntent, renderRefusal } from './render.js';

export const USAGES = ['off_session', 'on_session'] as const;
const OPEN: readonly PaymentIntentRecord['status'][] = [
  'requires_payment_method',
  'requires_confirmation',
  'requires_action',
];
export const isOpen = (intent: PaymentIntentRecord): boolean => OPEN.includes(intent.status);

export const shown = ({ tx, origin }: Call, intent: PaymentIntentRecord) =>
  renderPaymentIntent(intent, tx, origin);

export function inPath({ tx, path }: Call): PaymentIntentRecord {
  const id = path.id ?? '';
  const intent = tx.get('payment_intent', id);
  if (intent === undefined) throw missingInPath('payment_intent', id, 'intent');
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

/** Charges, and answers 402 with the intent inside when that is refused. */
export function charge(
  call: Call,
  settings: Settings,
  intent: PaymentIntentRecord,
  method: PaymentMethodRecord | undefined,
  operation: string,
): Reply {
  if (method === undefined) {
    throw wrongState(
      'payment_intent_unexpected_state',
      'The payment intent has no payment method to charge',
      {
        payment_intent: shown(call, intent),
      },
    );
  }
  const verdict = attemptCharge(call.tx, {
    intent,
    method,
    offSession: isOffSession(call),
    refuseAction: read.flag(call.params, 'error_on_requires_action') ?? false,
    operation,
    settleAfterMs: settings.settleAfterMs,
  });
  const payment_intent = shown(call, verdict.intent);
  if (verdict.refusal === undefined) return ok(payment_intent, verdict.fault);
  return { status: 402, body: { error: { ...renderRefusal(verdict.refusal, call.tx), payment_intent } } };
}

export function confirm(call: Call, settings: Settings): Reply {
  const { params } = call;
  const present = inPath(call);
  if (!isOpen(present)) {
    throw wrongState(
      'payment_intent_unexpected_state',
      `A payment intent that is ${present.status} cannot be confirmed`,
      {
        payment_intent: shown(call, present),
      },
    );
  }
  const intent = {
    ...present,
    return_url: read.replaced(params, 'return_url', present.return_url),
    receipt_email: read.replaced(params, 'receipt_email', present.receipt_email),
    setup_future_usage: read.choice(params, 'setup_future_usage', USAGES) ?? present.setup_future_usage,
  };
  requireEnough(call.tx, intent);
  const method = namedMethod(call, intent.customer) ?? keptMethod(call, intent);
  return charge(call, settings, intent, method, intent.id);
}

/** The intent's own payment method; a customer who comes back to authenticate gets the refused one again. */
function keptMethod({ tx, caller }: Call, intent: PaymentIntentRecord): PaymentMethodRecord | undefined {
  const { error } = intent;
  const comesBack = caller === 'client' && error?.code === 'authentication_required';
  const id = intent.payment_method ?? (comesBack ? error.payment_method : undefined);
  const method = id === undefined ? undefined : tx.get('payment_method', id);
  return method && usable(method, intent.customer);
}
