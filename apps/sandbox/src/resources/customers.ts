import { type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { missingInPath, missingInParameter } from '../http/refusal.js';
import type { CustomerRecord } from '../ledger/records.js';
import { attach, detach, methodOf } from './payment-methods.js';
import { renderCustomer } from './render.js';

function inPath({ tx, path }: Call): CustomerRecord {
  const id = path.id ?? '';
  const customer = tx.get('customer', id);
  if (customer === undefined) throw missingInPath('customer', id);
  return customer;
}

function live(call: Call): CustomerRecord {
  const customer = inPath(call);
  if (customer.deleted) throw missingInPath('customer', customer.id);
  return customer;
}

const NOTHING = {
  name: null,
  email: null,
  phone: null,
  description: null,
  address: null,
  shipping: null,
  default_payment_method: null,
};

function fields({ params }: Call, present: Pick<CustomerRecord, keyof typeof NOTHING> = NOTHING) {
  const invoice = read.nested(params, 'invoice_settings') ?? {};
  return {
    name: read.replaced(params, 'name', present.name),
    email: read.replaced(params, 'email', present.email),
    phone: read.replaced(params, 'phone', present.phone),
    description: read.replaced(params, 'description', present.description),
    address: read.replacedObject(params, 'address', present.address),
    shipping: read.replacedObject(params, 'shipping', present.shipping),
    default_payment_method: read.replaced(invoice, 'default_payment_method', present.default_payment_method),
  };
}

function create(call: Call): Reply {
  const { tx, params } = call;
  const made = { ...fields(call), metadata: read.metadata(params), deleted: false };
  const customer = tx.create({ kind: 'customer', ...made });
  tx.tell('customer.created', customer);
  const method = read.filled(params, 'payment_method');
  if (method !== undefined) {
    attach(
      tx,
      methodOf(tx, method, () => missingInParameter('payment method', method, 'payment_method')),
      customer.id,
    );
  }
  return ok(renderCustomer(customer));
}

function update(call: Call): Reply {
  const present = live(call);
  const metadata = read.metadata(call.params, present.metadata);
  const customer = call.tx.save({ ...present, ...fields(call, present), metadata });
  call.tx.tell('customer.updated', customer);
  return ok(renderCustomer(customer));
}

/** The customer's payment methods go with it; its payments stay. */
function remove(call: Call): Reply {
  const { tx } = call;
  const present = live(call);
  for (const { id } of tx.ledger.list('payment_method', present.id)) {
    const method = tx.get('payment_method', id);
    if (method !== undefined) detach(tx, method);
  }
  const customer = tx.save({ ...present, deleted: true });
  tx.tell('customer.deleted', customer);
  return ok(renderCustomer(customer));
}

function list(call: Call): Reply {
  const email = read.filled(call.params, 'email');
  return ok(
    page(call, {
      url: '/v1/customers',
      kind: 'customer',
      scope: call.tx.origin.account,
      keep: (customer) => email === undefined || customer.email === email,
      render: renderCustomer,
    }),
  );
}

const FIELDS =
  'name email phone description address shipping metadata invoice_settings preferred_locales tax tax_exempt ' +
  'balance invoice_prefix next_invoice_sequence business_name individual_name';

export const customerRoutes: readonly Route[] = [
  route('post', '/v1/customers', `${FIELDS} payment_method validate`, create),
  route('get', '/v1/customers', `email ${LIST_PARAMS}`, list),
  route('get', '/v1/customers/:id', '', (call) => ok(renderCustomer(inPath(call)))),
  route('post', '/v1/customers/:id', FIELDS, update),
  route('delete', '/v1/customers/:id', '', remove),
];
