import { type Body, type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { createdRange, LIST_PARAMS, listBody, pageSize } from '../http/lists.js';
import * as read from '../http/params.js';
import { missingInParameter, missingInPath } from '../http/refusal.js';
import type { ShownEvent, StoredEvent } from '../ledger/ledger.js';
import { type Lookup, render } from './render.js';

/** The version of the provider's interface that this sandbox follows. */
export const API_VERSION = '2026-10-28.endive';

/** An event as it is listed and as its notice carries it. */
export function renderEvent(event: ShownEvent, lookup: Lookup, origin: string): Body {
  return {
    id: event.id,
    object: 'event',
    api_version: API_VERSION,
    created: event.created,
    data: { object: render(event.record, lookup, origin) },
    livemode: false,
    pending_webhooks: event.silent === true ? 0 : 1,
    request: { id: event.request, idempotency_key: event.key },
    type: event.type,
  };
}

function retrieve({ tx, path, origin }: Call): Reply {
  const id = path.id ?? '';
  const event = tx.ledger.event(id);
  if (event?.account !== tx.origin.account) throw missingInPath('event', id);
  return ok(renderEvent(event, tx, origin));
}

/** `type` may end in a star: payment_intent.*; `types` lists whole ones. */
function wantedType(params: read.Params): (type: string) => boolean {
  const type = read.filled(params, 'type');
  const types = read.list(params, 'types') ?? (type === undefined ? undefined : [type]);
  if (types === undefined) return () => true;
  return (each) =>
    types.some((wanted) => (wanted.endsWith('*') ? each.startsWith(wanted.slice(0, -1)) : each === wanted));
}

function list({ tx, params, origin }: Call): Reply {
  const limit = pageSize(params);
  const within = createdRange(params);
  const wanted = wantedType(params);
  const after = read.filled(params, 'starting_after');
  const found: StoredEvent[] = [];
  let begun = after === undefined;
  for (const event of tx.ledger.eventsOf(tx.origin.account)) {
    if (begun && wanted(event.type) && within(event.created)) found.push(event);
    if (event.id === after) begun = true;
    if (found.length > limit) break;
  }
  if (!begun) throw missingInParameter('event', after ?? '', 'starting_after');
  const data = found.slice(0, limit).map((event) => renderEvent(tx.ledger.show(event), tx, origin));
  return ok(listBody('/v1/events', data, found.length > limit));
}

export const eventRoutes: readonly Route[] = [
  route('get', '/v1/events', `type types delivery_success ${LIST_PARAMS}`, list),
  route('get', '/v1/events/:id', '', retrieve),
];
