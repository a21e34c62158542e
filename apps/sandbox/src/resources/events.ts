import { type Call, ok, type Reply, route, type Route } from '../http/call.js';
import { LIST_PARAMS, page } from '../http/lists.js';
import * as read from '../http/params.js';
import { missingInPath } from '../http/refusal.js';
import type { Event } from '../ledger/ledger.js';
import type { Transaction } from '../ledger/transaction.js';
import { type Body, render } from './render.js';

/** The version of the provider's interface that this sandbox follows. */
const API_VERSION = '2026-10-28.endive';

/** An event as it is listed and as its notice carries it. */
export function renderEvent(event: Event, tx: Transaction): Body {
  const { id, created, type, record, request, key } = event;
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: { object: render(record, tx) },
    livemode: false,
    pending_webhooks: tx.ledger.owed.has(id) ? 1 : 0,
    request: { id: request, idempotency_key: key },
    type,
  };
}

function retrieve({ tx, path }: Call): Reply {
  const event = tx.ledger.events.get(path.id ?? '');
  if (event?.account !== tx.origin.account) throw missingInPath('event', path.id ?? '');
  return ok(renderEvent(event, tx));
}

/** Whether a type is among those given, of which a star at the end stands for any ending. */
export const matches = (types: readonly string[], type: string): boolean =>
  types.some((each) => (each.endsWith('*') ? type.startsWith(each.slice(0, -1)) : type === each));

function list({ tx, params }: Call): Reply {
  const type = read.filled(params, 'type');
  const types = read.list(params, 'types') ?? (type === undefined ? ['*'] : [type]);
  const all = [...tx.ledger.events.values()].filter(({ account }) => account === tx.origin.account);
  const keep = (event: Event) => matches(types, event.type);
  return ok(page(params, { url: '/v1/events', all, keep, render: (event) => renderEvent(event, tx) }));
}

export const eventRoutes: readonly Route[] = [
  route('get', '/v1/events', `type types ${LIST_PARAMS}`, list),
  route('get', '/v1/events/:id', '', retrieve),
];
