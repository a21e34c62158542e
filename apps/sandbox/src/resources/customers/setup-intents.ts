import { cardNamed } from '../../cards/cards.js';
import { type Call, inPath, type Reply, route, type Route, shown, unexpectedState } from '../../http/call.js';
import { listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import { badParameter } from '../../http/refusal.js';
import type { PaymentMethodRecord, SetupIntentRecord } from '../../ledger/records.js';
import { randomText, type Transaction } from '../../ledger/transaction.js';
import { allowedTypes, attach, namedCustomer, namedMethod, usable } from './payment-methods.js';

function openInPath(call: Call): SetupIntentRecord {
  const intent = inPath(call, 'setup_intent');
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpectedState(call, intent);
  return intent;
}

function create(call: Call): Reply {
  const { tx, params } = call;
  const customer = namedCustomer(call) ?? null;
  const method = namedMethod(call, customer);
  const confirmed = read.flag(params, 'confirm') ?? false;
  if (confirmed && method === undefined) {
    throw badParameter('payment_method', 'confirm=true needs a payment method', 'parameter_missing');
  }
  const intent = tx.create({
    kind: 'setup_intent',
    secret: randomText(25),
    status: method === undefined ? 'requires_payment_method' : 'requires_confirmation',
    customer,
    payment_method: method?.id ?? null,
    usage: read.choice(params, 'usage', ['off_session', 'on_session']) ?? 'off_session',
    ...read.replacedTexts(params, ['description', 'return_url']),
    cancellation_reason: null,
    allowed_payment_method_types: allowedTypes(params),
    error: null,
    metadata: read.metadata(params),
  });
  tx.tell('setup_intent.created', intent);
  return shown(call, confirmed ? setUp(call, intent, method) : intent);
}

/** Saves the card, or asks for the customer first. Cards that will decline can be saved: they fail when charged. */
function setUp(
  call: Call,
  intent: SetupIntentRecord,
  method: PaymentMethodRecord | undefined,
): SetupIntentRecord {
  if (method === undefined) throw unexpectedState(call, intent);
  const named: SetupIntentRecord = { ...intent, payment_method: method.id, error: null };
  if (/^(never|on_session)$/.test(cardNamed(method.card).authentication)) {
    return finishSetup(call.tx, named, method);
  }
  const waiting = call.tx.save<SetupIntentRecord>({ ...named, status: 'requires_action' });
  call.tx.tell('setup_intent.requires_action', waiting);
  return waiting;
}

/** The card is set up: it belongs to the customer and, if it is meant for that, may be charged without them. */
export function finishSetup(
  tx: Transaction,
  intent: SetupIntentRecord,
  method: PaymentMethodRecord,
): SetupIntentRecord {
  const attached = intent.customer === null ? method : attach(tx, method, intent.customer);
  if (intent.usage === 'off_session' && !attached.set_up) tx.save({ ...attached, set_up: true });
  const done = tx.save<SetupIntentRecord>({ ...intent, status: 'succeeded' });
  tx.tell('setup_intent.succeeded', done);
  return done;
}

function confirm(call: Call): Reply {
  const { tx, params } = call;
  const present = openInPath(call);
  const intent = { ...present, ...read.replacedTexts(params, ['return_url'], present) };
  const own = tx.get('payment_method', present.payment_method ?? '');
  const method = namedMethod(call, intent.customer) ?? (own && usable(own, intent.customer));
  return shown(call, setUp(call, intent, method));
}

function update(call: Call): Reply {
  const { tx, params } = call;
  const touchesCard = params.customer !== undefined || params.payment_method !== undefined;
  const present = touchesCard ? openInPath(call) : inPath(call, 'setup_intent');
  const customer = namedCustomer(call) ?? present.customer;
  const method = namedMethod(call, customer);
  const intent = tx.save<SetupIntentRecord>({
    ...present,
    customer,
    status: method === undefined ? present.status : 'requires_confirmation',
    payment_method: method?.id ?? present.payment_method,
    ...read.replacedTexts(params, ['description'], present),
    metadata: read.metadata(params, present.metadata),
  });
  return shown(call, intent);
}

function cancel(call: Call): Reply {
  const { tx, params } = call;
  const present = openInPath(call);
  const reasons = ['abandoned', 'requested_by_customer', 'duplicate'] as const;
  const cancellation_reason = read.choice(params, 'cancellation_reason', reasons) ?? null;
  const intent = tx.save<SetupIntentRecord>({ ...present, status: 'canceled', cancellation_reason });
  tx.tell('setup_intent.canceled', intent);
  return shown(call, intent);
}

const METHOD = 'payment_method payment_method_data payment_method_types allowed_payment_method_types';
const SHARED = `customer description metadata ${METHOD}`;
const CONFIRMING = 'return_url use_stripe_sdk';
const CREATING = `${SHARED} ${CONFIRMING} confirm usage automatic_payment_methods`;
const CLIENT = 'client_secret key';

export const setupIntentRoutes: readonly Route[] = [
  route('post', '/v1/setup_intents', CREATING, create),
  listRoute('/v1/setup_intents', 'setup_intent', ['customer'], 'payment_method'),
  route('get', '/v1/setup_intents/:id', CLIENT, (call) => shown(call, inPath(call, 'setup_intent'))),
  route('post', '/v1/setup_intents/:id', SHARED, update),
  route('post', '/v1/setup_intents/:id/confirm', `${METHOD} ${CONFIRMING} ${CLIENT}`, confirm),
  route('post', '/v1/setup_intents/:id/cancel', 'cancellation_reason', cancel),
];
