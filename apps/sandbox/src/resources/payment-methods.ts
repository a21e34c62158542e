import { type Card, cardOfNumber, cardOfToken, passesCheck } from '../cards/cards.js';
import { type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { badParameter, missingInParameter, missingInPath, Refusal, wrongState } from '../http/refusal.js';
import type { PaymentMethodRecord } from '../ledger/records.js';
import type { Transaction } from '../ledger/transaction.js';
import { renderPaymentMethod } from './render.js';

interface CardInput {
  readonly card: Card;
  readonly exp_month: number;
  readonly exp_year: number;
}

const cardError = (code: string, message: string, param: string, decline_code?: string) =>
  new Refusal(402, { type: 'card_error', code, decline_code, message, param });

/** The card of `card[token]`, or of `card[number]` with its expiry; numbers that nobody published are refused. */
function readCard(params: read.Params, now: Date): CardInput {
  const fields = read.nested(params, 'card');
  if (fields === undefined) throw badParameter('card', 'Missing parameter: card', 'parameter_missing');
  const token = read.filled(fields, 'token');
  if (token !== undefined) {
    const card = token.startsWith('tok_') ? cardOfToken(token) : undefined;
    if (card === undefined) throw missingInParameter('token', token, 'card[token]');
    return { card, ...freshExpiry(now) };
  }
  const number = read.required(fields, 'number').replace(/[ -]/g, '');
  if (!/^\d{12,19}$/.test(number) || !passesCheck(number)) {
    throw cardError('incorrect_number', 'The card number is wrong.', 'card[number]');
  }
  const expiry = readExpiry(fields, now);
  const cvc = read.filled(fields, 'cvc');
  if (cvc !== undefined && !/^\d{3,4}$/.test(cvc)) {
    throw cardError('invalid_cvc', "The card's security code is not one.", 'card[cvc]');
  }
  const card = cardOfNumber(number);
  if (card !== undefined) return { card, ...expiry };
  throw cardError(
    'card_declined',
    'Only published test cards work here.',
    'card[number]',
    'test_mode_live_card',
  );
}

function readExpiry(fields: read.Params, now: Date): Pick<CardInput, 'exp_month' | 'exp_year'> {
  const month = read.integer(fields, 'exp_month') ?? 0;
  const given = read.integer(fields, 'exp_year') ?? -1;
  const year = given >= 0 && given < 100 ? 2000 + given : given;
  if (month < 1 || month > 12) {
    throw cardError('invalid_expiry_month', "The card's month of expiry is wrong.", 'card[exp_month]');
  }
  const passed = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (passed || year > now.getUTCFullYear() + 50) {
    throw cardError('invalid_expiry_year', "The card's year of expiry is wrong.", 'card[exp_year]');
  }
  return { exp_month: month, exp_year: year };
}

const freshExpiry = (now: Date) => ({ exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() + 1 });

function make(tx: Transaction, input: CardInput, params: read.Params = {}): PaymentMethodRecord {
  return tx.create({
    kind: 'payment_method',
    card: input.card.name,
    exp_month: input.exp_month,
    exp_year: input.exp_year,
    customer: null,
    set_up: false,
    spent: false,
    billing_details: read.replacedObject(params, 'billing_details'),
    metadata: read.metadata(params),
  });
}

/** The payment method of an id in a parameter. A published id such as pm_card_visa gives a fresh one each time. */
export function methodOf(tx: Transaction, id: string, missing: () => Refusal): PaymentMethodRecord {
  const card = id.startsWith('pm_card_') ? cardOfToken(id) : undefined;
  if (card !== undefined) return make(tx, { card, ...freshExpiry(new Date(tx.origin.now)) });
  const method = tx.get('payment_method', id);
  if (method === undefined) throw missing();
  return method;
}

/** The payment method that an intent's request names, by id or by its data; undefined when it names none. */
export function namedMethod({ tx, params }: Call, customer: string | null): PaymentMethodRecord | undefined {
  const id = read.filled(params, 'payment_method');
  const data = read.nested(params, 'payment_method_data');
  if (id === undefined) return data && makeFrom(tx, data);
  const method = methodOf(tx, id, () => missingInParameter('payment method', id, 'payment_method'));
  return usable(method, customer);
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

/** Attaches to a customer; one that is attached already stays as it is. */
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

export function requireCustomer(tx: Transaction, id: string): string {
  const customer = tx.get('customer', id);
  if (customer === undefined || customer.deleted) throw missingInParameter('customer', id, 'customer');
  return customer.id;
}

const inPath = ({ tx, path }: Call, name = 'id'): PaymentMethodRecord => {
  const id = path[name] ?? '';
  return methodOf(tx, id, () => missingInPath('payment method', id, 'payment_method'));
};

function create(call: Call): Reply {
  return ok(renderPaymentMethod(makeFrom(call.tx, call.params)));
}

function update(call: Call): Reply {
  const { tx, params } = call;
  const present = inPath(call);
  const card = read.nested(params, 'card');
  const updated = tx.save({
    ...present,
    ...(card &&
      readExpiry(
        { exp_month: String(present.exp_month), exp_year: String(present.exp_year), ...card },
        new Date(tx.origin.now),
      )),
    billing_details: read.replacedObject(params, 'billing_details', present.billing_details),
    metadata: read.metadata(params, present.metadata),
  });
  tx.tell('payment_method.updated', updated);
  return ok(renderPaymentMethod(updated));
}

function attachRoute(call: Call): Reply {
  const customer = requireCustomer(call.tx, read.required(call.params, 'customer'));
  return ok(renderPaymentMethod(attach(call.tx, inPath(call), customer)));
}

function detachRoute(call: Call): Reply {
  const method = inPath(call);
  if (method.customer === null) {
    throw wrongState('payment_method_not_attached', 'The payment method is not attached to a customer');
  }
  return ok(renderPaymentMethod(detach(call.tx, method)));
}

function list(call: Call, customer: string, url: string): Reply {
  read.choice(call.params, 'type', ['card']);
  return ok(page(call, { url, kind: 'payment_method', scope: customer, render: renderPaymentMethod }));
}

function listAll(call: Call): Reply {
  // Only attached ones are listed, so there is nothing to list without a customer.
  const customer = requireCustomer(call.tx, read.required(call.params, 'customer'));
  return list(call, customer, '/v1/payment_methods');
}

function listOfCustomer(call: Call): Reply {
  const id = call.path.customer ?? '';
  const customer = call.tx.get('customer', id);
  if (customer === undefined || customer.deleted) throw missingInPath('customer', id, 'customer');
  return list(call, id, `/v1/customers/${id}/payment_methods`);
}

function retrieveOfCustomer(call: Call): Reply {
  const method = inPath(call);
  if (method.customer !== call.path.customer)
    throw missingInPath('payment method', method.id, 'payment_method');
  return ok(renderPaymentMethod(method));
}

export const paymentMethodRoutes: readonly Route[] = [
  route(
    'post',
    '/v1/payment_methods',
    'type card billing_details metadata allow_redisplay radar_options',
    create,
  ),
  route('get', '/v1/payment_methods', `customer type allow_redisplay ${LIST_PARAMS}`, listAll),
  route('get', '/v1/payment_methods/:id', '', (call) => ok(renderPaymentMethod(inPath(call)))),
  route('post', '/v1/payment_methods/:id', 'card billing_details metadata allow_redisplay', update),
  route('post', '/v1/payment_methods/:id/attach', 'customer', attachRoute),
  route('post', '/v1/payment_methods/:id/detach', '', detachRoute),
  route(
    'get',
    '/v1/customers/:customer/payment_methods',
    `type allow_redisplay ${LIST_PARAMS}`,
    listOfCustomer,
  ),
  route('get', '/v1/customers/:customer/payment_methods/:id', '', retrieveOfCustomer),
];
