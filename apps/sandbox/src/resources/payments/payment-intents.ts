import { type Call, inPath, type Reply, route, type Route, shown } from '../../http/call.js';
import { listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import { badParameter } from '../../http/refusal.js';
import type { PaymentIntentRecord } from '../../ledger/records.js';
import { randomText } from '../../ledger/transaction.js';
import { allowedTypes, namedCustomer, namedMethod } from '../customers/payment-methods.js';
import { amountOf, currencyOf, requireEnough } from './amounts.js';
import { charge, confirm, isOffSession, openInPath, USAGES } from './payment-confirmation.js';

function create(call: Call): Reply {
  const { tx, params } = call;
  const currency = currencyOf(params) ?? read.required(params, 'currency');
  const amount = amountOf(params, currency) ?? Number(read.required(params, 'amount'));
  const customer = namedCustomer(call) ?? null;
  read.choice(params, 'capture_method', ['automatic', 'automatic_async']);
  const confirmed = read.flag(params, 'confirm') ?? false;
  if (isOffSession(call) && !confirmed)
    throw badParameter('off_session', 'off_session goes with confirm=true only');
  const method = namedMethod(call, customer);
  if (confirmed && method === undefined) {
    throw badParameter('payment_method', 'confirm=true needs a payment method', 'parameter_missing');
  }
  const intent = tx.create({
    kind: 'payment_intent',
    secret: randomText(25),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    amount,
    currency,
    customer,
    payment_method: method?.id ?? null,
    ...details(params),
    setup_future_usage: read.choice(params, 'setup_future_usage', USAGES) ?? null,
    ...read.replacedTexts(params, ['return_url']),
    ...welcomeTypes(params),
    latest_charge: null,
    canceled_at: null,
    cancellation_reason: null,
    error: null,
    challenge: false,
    metadata: read.metadata(params),
  });
  requireEnough(tx, intent);
  tx.tell('payment_intent.created', intent);
  if (!confirmed) return shown(call, intent);
  return charge(call, intent, method, read.text(params, 'payment_method') ?? intent.id);
}

/** The allowed types of payment methods: those listed, or by default all that suit, cards among them. */
function welcomeTypes(params: read.Params) {
  const allowed = allowedTypes(params);
  const listed = allowed !== null || params.payment_method_types !== undefined;
  const automatic = read.nested(params, 'automatic_payment_methods') ?? {};
  const redirects = read.choice(automatic, 'allow_redirects', ['always', 'never']) ?? 'always';
  return { allowed_payment_method_types: allowed, allow_redirects: listed ? null : redirects };
}

const TEXTS = [
  'description',
  'receipt_email',
  'statement_descriptor',
  'statement_descriptor_suffix',
] as const;

const details = (params: read.Params, present?: PaymentIntentRecord) => ({
  ...read.replacedTexts(params, TEXTS, present),
  shipping: read.replacedObject(params, 'shipping', present?.shipping),
});

function update(call: Call): Reply {
  const { tx, params } = call;
  const charged = ['amount', 'currency', 'customer', 'payment_method', 'setup_future_usage'];
  const touchesCharge = charged.some((name) => params[name] !== undefined);
  const present = touchesCharge ? openInPath(call) : inPath(call, 'payment_intent');
  const customer = namedCustomer(call) ?? present.customer;
  const currency = currencyOf(params) ?? present.currency;
  const method = namedMethod(call, customer);
  const intent = tx.save<PaymentIntentRecord>({
    ...present,
    ...details(params, present),
    customer,
    currency,
    amount: amountOf(params, currency) ?? present.amount,
    status: method === undefined ? present.status : 'requires_confirmation',
    payment_method: method?.id ?? present.payment_method,
    setup_future_usage: read.choice(params, 'setup_future_usage', USAGES) ?? present.setup_future_usage,
    metadata: read.metadata(params, present.metadata),
  });
  return shown(call, intent);
}

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const;

function cancel(call: Call): Reply {
  const { tx, params } = call;
  const intent = tx.save<PaymentIntentRecord>({
    ...openInPath(call),
    status: 'canceled',
    canceled_at: Math.floor(tx.origin.now / 1000),
    cancellation_reason: read.choice(params, 'cancellation_reason', REASONS) ?? null,
  });
  tx.tell('payment_intent.canceled', intent);
  return shown(call, intent);
}

const METHOD =
  'payment_method payment_method_data payment_method_options payment_method_types allowed_payment_method_types ' +
  'receipt_email setup_future_usage shipping capture_method';
const SHARED = `${METHOD} amount currency customer description statement_descriptor statement_descriptor_suffix metadata`;
const CONFIRMING = 'return_url off_session error_on_requires_action use_stripe_sdk confirmation_method';
const CREATING = `${SHARED} ${CONFIRMING} confirm automatic_payment_methods`;
const CLIENT = 'client_secret key';

export const paymentIntentRoutes: readonly Route[] = [
  route('post', '/v1/payment_intents', CREATING, create),
  listRoute('/v1/payment_intents', 'payment_intent', ['customer']),
  route('get', '/v1/payment_intents/:id', CLIENT, (call) => shown(call, inPath(call, 'payment_intent'))),
  route('post', '/v1/payment_intents/:id', SHARED, update),
  route('post', '/v1/payment_intents/:id/confirm', `${METHOD} ${CONFIRMING} ${CLIENT}`, confirm),
  route('post', '/v1/payment_intents/:id/cancel', 'cancellation_reason', cancel),
];
