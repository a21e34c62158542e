import { cardOfNumber, cardOfToken, passesCheck } from '../../cards/cards.js';
import { type Call, inPath, named, type Reply, route, type Route, shown } from '../../http/call.js';
import { LIST_PARAMS, listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import { badParameter, missing, missingInPath, Refusal, wrongState } from '../../http/refusal.js';
import type { CardInUse, PaymentMethodRecord } from '../../ledger/records.js';
import type { Transaction } from '../../ledger/transaction.js';

const cardError = (code: string, message: string, param: string, decline_code?: string) =>
  new Refusal(402, { type: 'card_error', code, decline_code, message, param: `card[${param}]` });

/** The card of `card[token]`, or of `card[number]` with its expiry; numbers that are not published are refused. */
function readCard(params: read.Params, now: Date): CardInUse {
  const fields = read.nested(params, 'card');
  if (fields === undefined) throw badParameter('card', 'Missing parameter: card', 'parameter_missing');
  const token = read.filled(fields, 'token');
  if (token !== undefined) {
    const card = token.startsWith('tok_') ? cardOfToken(token) : undefined;
    if (card === undefined) throw missing('token', token, 'card[token]');
    return { card: card.name, ...freshExpiry(now) };
  }
  const number = read.required(fields, 'number').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesCheck(number)) {
    throw cardError('incorrect_number', 'The card number is wrong.', 'number');
  }
  const expiry = readExpiry(fields, now);
  if (!/^\d{3,4}$/.test(read.filled(fields, 'cvc') ?? '000')) {
    throw cardError('invalid_cvc', "The card's security code is not one.", 'cvc');
  }
  const card = cardOfNumber(number);
  if (card !== undefined) return { card: card.name, ...expiry };
  throw cardError('card_declined', 'Only published test cards work here.', 'number', 'test_mode_live_card');
}

function readExpiry(fields: read.Params, now: Date): Omit<CardInUse, 'card'> {
  const exp_month = read.integer(fields, 'exp_month') ?? 0;
  const given = read.integer(fields, 'exp_year') ?? -1;
  const exp_year = given >= 0 && given < 100 ? 2000 + given : given;
  if (exp_month < 1 || exp_month > 12) {
    throw cardError('invalid_expiry_month', "The card's month of expiry is wrong.", 'exp_month');
  }
  const passed = exp_year * 12 + exp_month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (passed || exp_year > now.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', "The card's year of expiry is wrong.", 'exp_year');
  }
  return { exp_month, exp_year };
}

const freshExpiry = (now: Date) => ({ exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() + 1 });

function make(tx: Transaction, card: CardInUse, params: read.Params = {}): PaymentMethodRecord {
  return tx.create({
    kind: 'payment_method',
    ...card,
    customer: null,
    set_up: false,
    spent: false,
    billing_details: read.replacedObject(params, 'billing_details'),
    metadata: read.metadata(params),
  });
}

/** The payment method with this id. A published id such as pm_card_visa gives a fresh one each time. */
export function methodOf(tx: Transaction, id: string, otherwise: Refusal): PaymentMethodRecord {
  const card = id.startsWith('pm_card_') ? cardOfToken(id) : undefined;
  if (card !== undefined) return make(tx, { card: card.name, ...freshExpiry(new Date(tx.origin.now)) });
  const method = tx.get('payment_method', id);
  if (method === undefined) throw otherwise;
  return method;
}

/** The payment method that an intent's request names, by id or by its data; undefined when it names none. */
export function namedMethod({ tx, params }: Call, customer: string | null): PaymentMethodRecord | undefined {
  const id = read.filled(params, 'payment_method');
  const data = read.nested(params, 'payment_method_data');
  if (id === undefined) return data && makeFrom(tx, data);
  return usable(methodOf(tx, id, missing('payment_method', id, 'payment_method')), customer);
}

/** The types that an intent is limited to; the sandbox has cards only, so they must be among them. */
export function allowedTypes(params: read.Params): readonly string[] | null {
  const allowed = read.list(params, 'allowed_payment_method_types') ?? null;
  if (allowed?.includes('card') === false) {
    throw badParameter('allowed_payment_method_types', 'The sandbox knows payment methods of type card only');
  }
  return allowed;
}

/** Refuses a payment method that is used up or belongs to another customer. */
export function usable(method: PaymentMethodRecord, customer: string | null): PaymentMethodRecord {
  if (method.spent) {
    throw badParameter(
      'payment_method',
      `The payment method ${method.id} was used without a customer, or detached, and cannot be used again`,
    );
  }
  if (method.customer !== null && method.customer !== customer) {
    throw badParameter('payment_method', `The payment method ${method.id} belongs to another customer`);
  }
  return method;
}

function makeFrom(tx: Transaction, params: read.Params): PaymentMethodRecord {
  const type = read.required(params, 'type');
  if (type !== 'card') throw badParameter('type', 'The sandbox knows payment methods of type card only');
  return make(tx, readCard(params, new Date(tx.origin.now)), params);
}

/** Attaches to a customer; does nothing where it is attached already. */
export function attach(tx: Transaction, method: PaymentMethodRecord, customer: string): PaymentMethodRecord {
  if (method.customer === customer) return method;
  const attached = tx.save({ ...usable(method, customer), customer });
  tx.tell('payment_method.attached', attached);
  return attached;
}

export function detach(tx: Transaction, method: PaymentMethodRecord): PaymentMethodRecord {
  const detached = tx.save({ ...method, customer: null, set_up: false, spent: true });
  tx.tell('payment_method.detached', detached);
  return detached;
}

/** The customer that the request names; undefined where it names none. A deleted one counts as missing. */
export function namedCustomer(call: Call): string | undefined {
  const customer = named(call, 'customer');
  if (customer?.deleted === true) throw missing('customer', customer.id, 'customer');
  return customer?.id;
}

function requiredCustomer(call: Call): string {
  return namedCustomer(call) ?? read.required(call.params, 'customer');
}

function methodInPath({ tx, path }: Call): PaymentMethodRecord {
  const id = path.id ?? '';
  return methodOf(tx, id, missingInPath('payment_method', id));
}

function update(call: Call): Reply {
  const { tx, params } = call;
  const present = methodInPath(call);
  const card = read.nested(params, 'card');
  const updated = tx.save({
    ...present,
    ...(card && readExpiry({ ...present, ...card }, new Date(tx.origin.now))),
    billing_details: read.replacedObject(params, 'billing_details', present.billing_details),
    metadata: read.metadata(params, present.metadata),
  });
  tx.tell('payment_method.updated', updated);
  return shown(call, updated);
}

function detachRoute(call: Call): Reply {
  const method = methodInPath(call);
  if (method.customer !== null) return shown(call, detach(call.tx, method));
  throw wrongState('payment_method_not_attached', 'The payment method is not attached to a customer');
}

const ofCustomer = listRoute('/v1/payment_methods', 'payment_method', ['customer']);

/** Payment methods are listed of a customer only. */
function list(call: Call): Reply {
  read.choice(call.params, 'type', ['card']);
  requiredCustomer(call);
  return ofCustomer.handle(call);
}

function listOfCustomer(call: Call): Reply {
  return list({ ...call, params: { ...call.params, customer: inPath(call, 'customer').id } });
}

const LIST = `customer type allow_redisplay ${LIST_PARAMS}`;

export const paymentMethodRoutes: readonly Route[] = [
  route('post', '/v1/payment_methods', 'type card billing_details metadata allow_redisplay', (call) =>
    shown(call, makeFrom(call.tx, call.params)),
  ),
  route('get', '/v1/payment_methods', LIST, list),
  route('get', '/v1/payment_methods/:id', '', (call) => shown(call, methodInPath(call))),
  route('post', '/v1/payment_methods/:id', 'card billing_details metadata allow_redisplay', update),
  route('post', '/v1/payment_methods/:id/attach', 'customer', (call) =>
    shown(call, attach(call.tx, methodInPath(call), requiredCustomer(call))),
  ),
  route('post', '/v1/payment_methods/:id/detach', '', detachRoute),
  route('get', '/v1/customers/:id/payment_methods', LIST, listOfCustomer),
];
