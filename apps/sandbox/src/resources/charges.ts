import { type Body, type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { missingInParameter, missingInPath } from '../http/refusal.js';
import type { ChargeRecord, DisputeRecord } from '../ledger/records.js';
import { billingDetails } from './render.js';
import { renderCharge, renderDispute } from './render-money.js';

const shown = ({ tx }: Call, charge: ChargeRecord): Body =>
  renderCharge(
    charge,
    billingDetails(tx.get('payment_method', charge.payment_method)?.billing_details ?? null),
  );

function retrieve(call: Call): Reply {
  const id = call.path.id ?? '';
  const charge = call.tx.get('charge', id);
  if (charge === undefined) throw missingInPath('charge', id, 'charge');
  return ok(shown(call, charge));
}

function list(call: Call): Reply {
  const render = (charge: ChargeRecord) => shown(call, charge);
  const scope = scopeOf(call, ['payment_intent', 'customer']);
  return ok(page(call, { url: '/v1/charges', kind: 'charge', scope, render }));
}

/** The first of the named parents that is given, which must exist; else the account. */
export function scopeOf(
  { tx, params }: Call,
  parents: readonly ('payment_intent' | 'customer' | 'charge')[],
): string {
  for (const parent of parents) {
    const id = read.filled(params, parent);
    if (id === undefined) continue;
    if (tx.get(parent, id) === undefined) throw missingInParameter(parent, id, parent);
    return id;
  }
  return tx.origin.account;
}

function dispute({ tx, path }: Call): DisputeRecord {
  const id = path.id ?? '';
  const found = tx.get('dispute', id);
  if (found === undefined) throw missingInPath('dispute', id, 'dispute');
  return found;
}

/** The published texts of evidence decide how a dispute ends; any other puts it under review. */
function updateDispute(call: Call): Reply {
  const evidence = read.text(read.nested(call.params, 'evidence') ?? {}, 'uncategorized_text');
  if (evidence === 'winning_evidence') return closeDispute(call, 'won');
  if (evidence === 'losing_evidence') return closeDispute(call, 'lost');
  const present = dispute(call);
  const metadata = read.metadata(call.params, present.metadata);
  const status = evidence === undefined ? present.status : 'under_review';
  const updated = call.tx.save({ ...present, metadata, status });
  call.tx.tell('charge.dispute.updated', updated);
  return ok(renderDispute(updated));
}

function closeDispute(call: Call, status: 'won' | 'lost'): Reply {
  const { tx } = call;
  const present = dispute(call);
  const closed = tx.save<DisputeRecord>({
    ...present,
    status: present.status.startsWith('warning') ? 'warning_closed' : status,
  });
  tx.tell('charge.dispute.closed', closed);
  return ok(renderDispute(closed));
}

function listDisputes(call: Call): Reply {
  const scope = scopeOf(call, ['charge', 'payment_intent']);
  return ok(page(call, { url: '/v1/disputes', kind: 'dispute', scope, render: renderDispute }));
}

export const chargeRoutes: readonly Route[] = [
  route('get', '/v1/charges', `customer payment_intent transfer_group ${LIST_PARAMS}`, list),
  route('get', '/v1/charges/:id', '', retrieve),
  route('get', '/v1/disputes', `charge payment_intent ${LIST_PARAMS}`, listDisputes),
  route('get', '/v1/disputes/:id', '', (call) => ok(renderDispute(dispute(call)))),
  route('post', '/v1/disputes/:id', 'evidence metadata submit', updateDispute),
  route('post', '/v1/disputes/:id/close', '', (call) => closeDispute(call, 'lost')),
];
