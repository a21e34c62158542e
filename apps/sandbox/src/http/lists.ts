import { position } from '../ledger/order.js';
import type { Kind, RecordOf } from '../ledger/records.js';
import type { Body, Call } from './call.js';
import { integer, nested, type Params, text } from './params.js';
import { badParameter, missingInParameter } from './refusal.js';

/** Parameters of every list. */
export const LIST_PARAMS = 'limit starting_after ending_before created';

export const listBody = (url: string, data: readonly unknown[], has_more = false): Body => ({
  object: 'list',
  data,
  has_more,
  url,
});

interface Listing<K extends Kind> {
  readonly url: string;
  readonly kind: K;
  /** The account, or the record to whose records the list is narrowed. */
  readonly scope: string;
  readonly keep?: (record: RecordOf[K]) => boolean;
  readonly render: (record: RecordOf[K]) => Body;
}

/** A page of records, newest first. */
export function page<K extends Kind>({ tx, params }: Call, listing: Listing<K>): Body {
  const limit = pageSize(params);
  const within = createdRange(params);
  const ids = tx.ledger.list(listing.kind, listing.scope);
  const { at, step, until } = span(
    ids,
    cursorOf(params, 'starting_after'),
    cursorOf(params, 'ending_before'),
  );
  const found: RecordOf[K][] = [];
  for (let index = at; index !== until && found.length <= limit; index += step) {
    const record = tx.get(listing.kind, ids[index]?.id ?? '');
    if (record !== undefined && within(record.created) && listing.keep?.(record) !== false)
      found.push(record);
  }
  const more = found.length > limit;
  const shown = found.slice(0, limit);
  if (step === 1) shown.reverse();
  return listBody(listing.url, shown.map(listing.render), more);

  function cursorOf(from: Params, name: string): number | undefined {
    const id = text(from, name);
    if (id === undefined) return undefined;
    const record = tx.get(listing.kind, id);
    if (record === undefined) throw missingInParameter(listing.kind, id, name);
    return record.seq;
  }
}

/** The stretch of the list to walk: towards older ones, or, before a cursor, from it towards newer ones. */
function span(
  ids: readonly { readonly seq: number; readonly id: string }[],
  after: number | undefined,
  before: number | undefined,
): { at: number; step: 1 | -1; until: number } {
  if (before !== undefined) {
    const next = position(ids, before);
    return { at: ids[next]?.seq === before ? next + 1 : next, step: 1, until: ids.length };
  }
  return { at: (after === undefined ? ids.length : position(ids, after)) - 1, step: -1, until: -1 };
}

export function pageSize(params: Params): number {
  const limit = integer(params, 'limit') ?? 10;
  if (limit < 1 || limit > 100)
    throw badParameter('limit', 'limit runs from 1 to 100', 'parameter_invalid_integer');
  return limit;
}

/** The filter `created`: an instant in seconds, or bounds gt, gte, lt, lte. */
export function createdRange(params: Params): (created: number) => boolean {
  if (params.created === undefined) return () => true;
  if (typeof params.created === 'string') {
    const exact = integer(params, 'created');
    return (created) => created === exact;
  }
  const bounds = nested(params, 'created') ?? {};
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => integer(bounds, name));
  return (created) =>
    created > (gt ?? -Infinity) &&
    created >= (gte ?? -Infinity) &&
    created < (lt ?? Infinity) &&
    created <= (lte ?? Infinity);
}
