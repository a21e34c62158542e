import { type Call, inPath, type Reply, route, type Route, shown } from '../../http/call.js';
import { listRoute } from '../../http/lists.js';
import * as read from '../../http/params.js';
import type { DisputeRecord } from '../../ledger/records.js';

/** The published texts of evidence decide how a dispute ends; any other puts it under review. */
function updateDispute(call: Call): Reply {
  const evidence = read.text(read.nested(call.params, 'evidence') ?? {}, 'uncategorized_text');
  if (evidence === 'winning_evidence') return closeDispute(call, 'won');
  if (evidence === 'losing_evidence') return closeDispute(call, 'lost');
  const present = inPath(call, 'dispute');
  const metadata = read.metadata(call.params, present.metadata);
  const status = evidence === undefined ? present.status : 'under_review';
  const updated = call.tx.save({ ...present, metadata, status });
  call.tx.tell('charge.dispute.updated', updated);
  return shown(call, updated);
}

function closeDispute(call: Call, outcome: 'won' | 'lost'): Reply {
  const present = inPath(call, 'dispute');
  const status = present.status.startsWith('warning') ? 'warning_closed' : outcome;
  const closed = call.tx.save<DisputeRecord>({ ...present, status });
  call.tx.tell('charge.dispute.closed', closed);
  return shown(call, closed);
}

export const chargeRoutes: readonly Route[] = [
  listRoute('/v1/charges', 'charge', ['payment_intent', 'customer']),
  route('get', '/v1/charges/:id', '', (call) => shown(call, inPath(call, 'charge'))),
  listRoute('/v1/disputes', 'dispute', ['charge', 'payment_intent']),
  route('get', '/v1/disputes/:id', '', (call) => shown(call, inPath(call, 'dispute'))),
  route('post', '/v1/disputes/:id', 'evidence metadata submit', updateDispute),
  route('post', '/v1/disputes/:id/close', '', (call) => closeDispute(call, 'lost')),
];
