import { cardNamed } from '../cards/cards.js';
import { AUTHENTICATION_FAILED } from '../cards/outcomes.js';
import { type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { badParameter, missingInPath, wrongState } from '../http/refusal.js';
import { randomText } from '../ledger/ids.js';
import type { PaymentMethodRecord, SetupIntentRecord } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { allowedTypes, attach, namedMethod, requireCustomer, usable } from './payment-methods.js';
import { renderSetupIntent } from './render.js';

const shown = ({ tx, origin }: Call, intent: SetupIntentRecord) => renderSetupIntent(intent, tx, origin);

function inPath({ tx, path }: Call): SetupIntentRecord {
  const id = path.id ?? '';
  const intent = tx.get('setup_intent', id);
  if (intent === undefined) throw missingInPath('setup_intent', id, 'intent');
  return intent;
}

const isOpen = ({ status }: SetupIntentRecord): boolean => status !== 'succeeded' && status !== 'canceled';

function refuseSettled(call: Call, intent: SetupIntentRecord): void {
  if (isOpen(intent)) return;
  throw wrongState('setup_intent_unexpected_state', `A setup intent that is ${intent.status} is settled`, {
    setup_intent: shown(call, intent),
  });
}

function create(call: Call): Reply {
  const { tx, params } = call;
  const customerId = read.filled(params, 'customer');
  const customer = customerId === undefined ? null : requireCustomer(tx, customerId);
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
    description: read.replaced(params, 'description'),
    return_url: read.replaced(params, 'return_url'),
    cancellation_reason: null,
    allowed_types: allowedTypes(params),
    error: null,
    metadata: read.metadata(params),
  });
  tx.tell('setup_intent.created', intent);
  return ok(shown(call, confirmed ? setUp(call, intent, method) : intent));
}

/** Saves the card, or asks for the customer first. Cards that will decline can be saved: they fail when charged. */
function setUp(
  call: Call,
  intent: SetupIntentRecord,
  method: PaymentMethodRecord | undefined,
): SetupIntentRecord {
  if (method === undefined) {
    throw wrongState('setup_intent_unexpected_state', 'The setup intent has no payment method to set up', {
      setup_intent: shown(call, intent),
    });
  }
  const { authentication } = cardNamed(method.card);
  const named: SetupIntentRecord = { ...intent, payment_method: method.id, error: null };
  if (authentication === 'never' || authentication === 'on_session')
    return finishSetup(call.tx, named, method);
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

/** The customer was asked and did not approve. */
export function setupFailed(tx: Transaction, intent: SetupIntentRecord): SetupIntentRecord {
  const failed = tx.save<SetupIntentRecord>({
    ...intent,
    status: 'requires_payment_method',
    payment_method: null,
    error: {
      type: 'invalid_request_error',
      code: AUTHENTICATION_FAILED.setup_intent,
      message: 'The customer did not authenticate the card. It can be tried again with a payment method.',
      payment_method: intent.payment_method ?? '',
    },
  });
  tx.tell('setup_intent.setup_failed', failed);
  return failed;
}

function confirm(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  refuseSettled(call, present);
  const intent = { ...present, return_url: read.replaced(params, 'return_url', present.return_url) };
  const own = present.payment_method === null ? undefined : tx.get('payment_method', present.payment_method);
  const method = namedMethod(call, intent.customer) ?? (own && usable(own, intent.customer));
  return ok(shown(call, setUp(call, intent, method)));
}

function update(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  if (params.customer !== undefined || params.payment_method !== undefined) refuseSettled(call, present);
  const customerId = read.filled(params, 'customer');
  const customer = customerId === undefined ? present.customer : requireCustomer(tx, customerId);
  const method = namedMethod(call, customer);
  const intent = tx.save<SetupIntentRecord>({
    ...present,
    customer,
    status: method === undefined ? present.status : 'requires_confirmation',
    payment_method: method?.id ?? present.payment_method,
    description: read.replaced(params, 'description', present.description),
    metadata: read.metadata(params, present.metadata),
  });
  return ok(shown(call, intent));
}

function cancel(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  refuseSettled(call, present);
  const reasons = ['abandoned', 'requested_by_customer', 'duplicate'] as const;
  const cancellation_reason = read.choice(params, 'cancellation_reason', reasons) ?? null;
  const intent = tx.save<SetupIntentRecord>({ ...present, status: 'canceled', cancellation_reason });
  tx.tell('setup_intent.canceled', intent);
  return ok(shown(call, intent));
}

function list(call: Call): Reply {
  const customer = read.filled(call.params, 'customer');
  const method = read.filled(call.params, 'payment_method');
  return ok(
    page(call, {
      url: '/v1/setup_intents',
      kind: 'setup_intent',
      scope: customer === undefined ? call.tx.origin.account : requireCustomer(call.tx, customer),
      keep: (intent) => method === undefined || intent.payment_method === method,
      render: (intent) => shown(call, intent),
    }),
  );
}

const SHARED =
  'customer description payment_method payment_method_data payment_method_options payment_method_types ' +
  'allowed_payment_method_types metadata';
const CONFIRMING = 'return_url use_stripe_sdk mandate_data';
const CLIENT = 'client_secret key';

export const setupIntentRoutes: readonly Route[] = [
  route(
    'post',
    '/v1/setup_intents',
    `${SHARED} ${CONFIRMING} confirm usage automatic_payment_methods attach_to_self`,
    create,
  ),
  route('get', '/v1/setup_intents', `customer payment_method ${LIST_PARAMS}`, list),
  route('get', '/v1/setup_intents/:id', CLIENT, (call) => ok(shown(call, inPath(call))), 'setup_intent'),
  route('post', '/v1/setup_intents/:id', SHARED, update),
  route(
    'post',
    '/v1/setup_intents/:id/confirm',
    `${CONFIRMING} ${CLIENT} payment_method payment_method_data payment_method_options payment_method_types allowed_payment_method_types`,
    confirm,
    'setup_intent',
  ),
  route('post', '/v1/setup_intents/:id/cancel', 'cancellation_reason', cancel),
];
