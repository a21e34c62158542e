import { type Call, ok, type Reply, route, type Route, type Settings } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { badParameter, wrongState } from '../http/refusal.js';
import { randomText } from '../ledger/ids.js';
import type { PaymentIntentRecord } from '../ledger/records.js';
import { amountOf, currencyOf } from './amounts.js';
import { requireEnough } from './minimums.js';
import { charge, confirm, inPath, isOffSession, isOpen, shown, USAGES } from './payment-confirmation.js';
import { allowedTypes, namedMethod, requireCustomer } from './payment-methods.js';

function create(call: Call, settings: Settings): Reply {
  const { tx, params } = call;
  const currency = currencyOf(params) ?? read.required(params, 'currency');
  const amount = amountOf(params, currency) ?? Number(read.required(params, 'amount'));
  const customerId = read.filled(params, 'customer');
  const customer = customerId === undefined ? null : requireCustomer(tx, customerId);
  read.choice(params, 'capture_method', ['automatic', 'automatic_async']);
  const confirm = read.flag(params, 'confirm') ?? false;
  const offSession = isOffSession(call);
  if (offSession && !confirm) throw badParameter('off_session', 'off_session goes with confirm=true only');
  const method = namedMethod(call, customer);
  if (confirm && method === undefined) {
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
    return_url: read.replaced(params, 'return_url'),
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
  if (!confirm) return ok(shown(call, intent));
  return charge(call, settings, intent, method, read.text(params, 'payment_method') ?? intent.id);
}

/** Which types of payment methods are welcome: those listed, or by default all that suit, cards among them. */
function welcomeTypes(params: read.Params): Pick<PaymentIntentRecord, 'allow_redirects' | 'allowed_types'> {
  const allowed_types = allowedTypes(params);
  const listed = allowed_types !== null || params.payment_method_types !== undefined;
  const automatic = read.nested(params, 'automatic_payment_methods') ?? {};
  const redirects = read.choice(automatic, 'allow_redirects', ['always', 'never']) ?? 'always';
  return { allowed_types, allow_redirects: listed ? null : redirects };
}

const NO_DETAILS = {
  description: null,
  receipt_email: null,
  shipping: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
};

/** Fields that stand for themselves. */
function details(
  params: read.Params,
  present: Pick<PaymentIntentRecord, keyof typeof NO_DETAILS> = NO_DETAILS,
) {
  return {
    description: read.replaced(params, 'description', present.description),
    receipt_email: read.replaced(params, 'receipt_email', present.receipt_email),
    shipping: read.replacedObject(params, 'shipping', present.shipping),
    statement_descriptor: read.replaced(params, 'statement_descriptor', present.statement_descriptor),
    statement_descriptor_suffix: read.replaced(
      params,
      'statement_descriptor_suffix',
      present.statement_descriptor_suffix,
    ),
  };
}

function update(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  const touchesMoney = ['amount', 'currency', 'customer', 'payment_method', 'setup_future_usage'].some(
    (name) => params[name] !== undefined,
  );
  if (touchesMoney && !isOpen(present)) {
    throw wrongState(
      'payment_intent_unexpected_state',
      `A payment intent that is ${present.status} is settled`,
      {
        payment_intent: shown(call, present),
      },
    );
  }
  const customerId = read.filled(params, 'customer');
  const customer = customerId === undefined ? present.customer : requireCustomer(tx, customerId);
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
  return ok(shown(call, intent));
}

const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer', 'abandoned'] as const;

function cancel(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  if (!isOpen(present)) {
    throw wrongState(
      'payment_intent_unexpected_state',
      `A payment intent that is ${present.status} cannot be canceled`,
      {
        payment_intent: shown(call, present),
      },
    );
  }
  const intent = tx.save<PaymentIntentRecord>({
    ...present,
    status: 'canceled',
    canceled_at: Math.floor(tx.origin.now / 1000),
    cancellation_reason: read.choice(params, 'cancellation_reason', REASONS) ?? null,
  });
  tx.tell('payment_intent.canceled', intent);
  return ok(shown(call, intent));
}

function list(call: Call): Reply {
  const customer = read.filled(call.params, 'customer');
  const scope = customer === undefined ? call.tx.origin.account : existing(call, customer);
  const render = (intent: PaymentIntentRecord) => shown(call, intent);
  return ok(page(call, { url: '/v1/payment_intents', kind: 'payment_intent', scope, render }));
}

/** Lists of a deleted customer can still be read. */
function existing({ tx }: Call, customer: string): string {
  return tx.get('customer', customer)?.id ?? requireCustomer(tx, customer);
}

const SHARED =
  'amount currency customer description payment_method payment_method_data payment_method_options ' +
  'payment_method_types allowed_payment_method_types receipt_email setup_future_usage shipping ' +
  'amount_details payment_details statement_descriptor ' +
  'statement_descriptor_suffix metadata capture_method application_fee_amount transfer_data transfer_group';
const CONFIRMING =
  'return_url off_session error_on_requires_action use_stripe_sdk mandate mandate_data radar_options confirmation_method';
const CLIENT = 'client_secret key';

export const paymentIntentRoutes = (settings: Settings): readonly Route[] => [
  route(
    'post',
    '/v1/payment_intents',
    `${SHARED} ${CONFIRMING} confirm automatic_payment_methods on_behalf_of`,
    (call) => create(call, settings),
  ),
  route('get', '/v1/payment_intents', `customer ${LIST_PARAMS}`, list),
  route('get', '/v1/payment_intents/:id', CLIENT, (call) => ok(shown(call, inPath(call))), 'payment_intent'),
  route('post', '/v1/payment_intents/:id', SHARED, update),
  route(
    'post',
    '/v1/payment_intents/:id/confirm',
    `${CONFIRMING} ${CLIENT} payment_method payment_method_data payment_method_options payment_method_types ` +
      'allowed_payment_method_types amount_details payment_details ' +
      'receipt_email setup_future_usage shipping capture_method',
    (call) => confirm(call, settings),
    'payment_intent',
  ),
  route('post', '/v1/payment_intents/:id/cancel', 'cancellation_reason', cancel),
];
