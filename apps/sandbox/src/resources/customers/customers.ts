import { type Call, inPath, type Reply, route, type Route, shown } from '../../http/call.js';
import { listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import { missing, missingInPath } from '../../http/refusal.js';
import type { CustomerRecord } from '../../ledger/records.js';
import { attach, detach, methodOf } from './payment-methods.js';

function live(call: Call): CustomerRecord {
  const customer = inPath(call, 'customer');
  if (customer.deleted) throw missingInPath('customer', customer.id);
  return customer;
}

function fields({ params }: Call, present?: CustomerRecord) {
  const invoice = read.nested(params, 'invoice_settings') ?? {};
  return {
    ...read.replacedTexts(params, ['name', 'email', 'phone', 'description'], present),
    address: read.replacedObject(params, 'address', present?.address),
    shipping: read.replacedObject(params, 'shipping', present?.shipping),
    ...read.replacedTexts(invoice, ['default_payment_method'], present),
    metadata: read.metadata(params, present?.metadata),
  };
}

function create(call: Call): Reply {
  const { tx, params } = call;
  const customer = tx.create({ kind: 'customer', ...fields(call), deleted: false });
  tx.tell('customer.created', customer);
  const id = read.filled(params, 'payment_method');
  const method =
    id === undefined ? undefined : methodOf(tx, id, missing('payment_method', id, 'payment_method'));
  if (method !== undefined) attach(tx, method, customer.id);
  return shown(call, customer);
}

function update(call: Call): Reply {
  const present = live(call);
  const customer = call.tx.save({ ...present, ...fields(call, present) });
  call.tx.tell('customer.updated', customer);
  return shown(call, customer);
}

/** The customer's payment methods go with it; its payments stay. */
function remove(call: Call): Reply {
  const { tx } = call;
  const present = live(call);
  for (const method of tx.ledger.list('payment_method', present.id)) detach(tx, method);
  const customer = tx.save({ ...present, deleted: true });
  tx.tell('customer.deleted', customer);
  return shown(call, customer);
}

const FIELDS = 'name email phone description address shipping metadata invoice_settings';

export const customerRoutes: readonly Route[] = [
  route('post', '/v1/customers', `${FIELDS} payment_method`, create),
  listRoute('/v1/customers', 'customer', [], 'email'),
  route('get', '/v1/customers/:id', '', (call) => shown(call, inPath(call, 'customer'))),
  route('post', '/v1/customers/:id', FIELDS, update),
  route('delete', '/v1/customers/:id', '', remove),
];
