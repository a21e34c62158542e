import type { Kind, RecordOf } from '../ledger/records.js';
import { named, ok, type Route, route } from './call.js';
import { type Body, render } from '../resources/render.js';
import { filled, integer, nested, type Params, text } from './params.js';
import { badParameter, missing } from './refusal.js';

/** Parameters of every list. */
export const LIST_PARAMS = 'limit starting_after ending_before created';

export function listBody(url: string, data: readonly unknown[], has_more = false): Body {
  return { object: 'list', data, has_more, url };
}

interface Item {
  readonly id: string;
  readonly created: number;
}
interface Listing<T extends Item> {
  readonly url: string;
  /** Oldest first. */
  readonly all: readonly T[];
  readonly keep?: (item: T) => boolean;
  readonly render: (item: T) => Body;
}

/** A page, newest first. */
export function page<T extends Item>(params: Params, { url, all, keep, render }: Listing<T>): Body {
  const limit = integer(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw badParameter('limit', 'limit runs from 1 to 100', 'parameter_invalid_integer');
  const within = createdRange(params);
  const newestFirst = [...all].reverse();
  const after = placeOf(newestFirst, params, 'starting_after') ?? -1;
  const before = placeOf(newestFirst, params, 'ending_before');
  const found = newestFirst
    .slice(after + 1, before)
    .filter((item) => within(item.created) && keep?.(item) !== false);
  const data = before === undefined ? found.slice(0, limit) : found.slice(-limit);
  return listBody(url, data.map(render), found.length > limit);
}

function placeOf(items: readonly Item[], params: Params, name: string): number | undefined {
  const id = text(params, name);
  if (id === undefined) return undefined;
  const place = items.findIndex((item) => item.id === id);
  if (place === -1) throw missing('record', id, name);
  return place;
}

/** The filter `created`: an instant in seconds, or bounds gt, gte, lt, lte. */
function createdRange(params: Params): (created: number) => boolean {
  if (typeof params.created === 'string') {
    const exact = integer(params, 'created');
    return (created) => created === exact;
  }
  const bounds = nested(params, 'created') ?? {};
  const [gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity] = ['gt', 'gte', 'lt', 'lte'].map(
    (name) => integer(bounds, name),
  );
  return (created) => created > gt && created >= gte && created < lt && created <= lte;
}

/** Lists the records of the first parent that a parameter names, else of the account; `field` narrows by its value. */
export function listRoute<K extends Kind>(
  url: string,
  kind: K,
  parents: readonly ('customer' | 'payment_intent' | 'charge')[],
  field?: string & keyof RecordOf[K],
): Route {
  return route('get', url, `${parents.join(' ')} ${field ?? ''} ${LIST_PARAMS}`, (call) => {
    const { tx, params } = call;
    const [scope = tx.origin.account] = parents.flatMap((parent) => named(call, parent)?.id ?? []);
    const value = field && filled(params, field);
    return ok(
      page(params, {
        url,
        all: tx.ledger.list(kind, scope),
        keep: (record) => field === undefined || value === undefined || record[field] === value,
        render: (record) => render(record, tx),
      }),
    );
  });
}
