import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import {
  MAX_COUNTED,
  totalOf,
  type CompanyRecords,
  type Filter,
  type Id,
  type OwnedRecord,
  type Page,
  type PageQuery,
  type Total,
} from '@commerce/platform';

import { idsMeant } from './search-query.js';
import { SearchTextStore, type TextQuery } from './search-text.store.js';
import type { Searched } from './searched.js';

/** If so many records match at most, they are read by their ids and sorted, and nothing else is looked at. */
const RARE = 250;
/** Records that are looked at, in the order that is asked for, where more match. */
const FIRST_LOOK = 100;
/** If the first look was not enough, up to so many records that match are read by their ids and sorted. */
const FEW = 1000;
const MAX_SEARCH_MS = 2000;

/** Where a search looks, and for what. */
export interface Search<R extends OwnedRecord> {
  readonly records: CompanyRecords<R>;
  readonly kind: Searched;
  readonly asked: string;
  /** Whether the query may be a short id, too. */
  readonly shortIds: boolean;
  /** How a page of the list without the search is read; unless given, in the order of the query. */
  readonly read?: (query: PageQuery) => Promise<Page<R>>;
  /** How that list is counted; it goes with `read`. */
  readonly count?: (filter: Filter) => Promise<Total>;
}

interface Running<R extends OwnedRecord> extends Required<Search<R>> {
  readonly text: TextQuery;
  /** The ids that the query itself is. */
  readonly named: readonly Id[];
  readonly page: PageQuery;
}

interface Walked<R> {
  readonly found: R[];
  /** The last record that was looked at; null where the list ended. */
  readonly goesOn: Id | null;
}

/**
 * Finds records that contain the query, in any case, or whose id or short id it is. What matches rarely is found by the
 * index, and sorted; what matches often is met soon by going through the list itself. Either way a page costs far less
 * than all that matches.
 */
@Injectable()
export class SearchReader {
  constructor(private readonly texts: SearchTextStore) {}

  async page<R extends OwnedRecord>(search: Search<R>, query: PageQuery): Promise<Page<R>> {
    const { records, kind, asked, shortIds } = search;
    const { read = (page) => records.page(page), count = (filter) => records.total(filter) } = search;
    const lowered = asked.toLowerCase();
    const text: TextQuery = { company: records.company, kind, query: lowered };
    const named = await idsNamed(records, lowered, shortIds);
    const running = { records, kind, asked, shortIds, read, count, text, named, page: query };
    const skipped = query.after === null ? query.page * query.size : 0;

    const byIds = (ids: readonly Id[]): Promise<Page<R>> =>
      read({ ...query, filter: among(query.filter, [...named, ...ids]) });
    const rare = await this.texts.idsOf(text, RARE + 1);
    if (rare.length <= RARE) return byIds(rare);
    const first = await this.walk(running, query.after, FIRST_LOOK);
    const isEnough = (): boolean => first.found.length > skipped + query.size;
    if (!isEnough() && first.goesOn !== null) {
      const ids = await this.texts.idsOf(text, FEW + 1);
      if (ids.length <= FEW) return byIds(ids);
      const until = performance.now() + MAX_SEARCH_MS;
      for (let after: Id | null = first.goesOn; after !== null && !isEnough();) {
        if (performance.now() > until)
          throw fault('query.timeout', 'The search took too long; ask for more of the text');
        const next: Walked<R> = await this.walk(running, after, FEW);
        first.found.push(...next.found);
        after = next.goesOn;
      }
    }
    return {
      records: first.found.slice(skipped, skipped + query.size),
      query,
      hasMore: isEnough(),
      total: query.total ? await this.total(running) : null,
    };
  }

  /** Those that match among the next records of the list, and after which one it goes on. */
  private async walk<R extends OwnedRecord>(
    { read, text, named, page }: Running<R>,
    after: Id | null,
    size: number,
  ): Promise<Walked<R>> {
    const { records, hasMore } = await read({ ...page, after, page: 0, size, total: false });
    const matching = await this.texts.matching(
      text,
      records.map(({ _id }) => _id),
    );
    for (const id of named) matching.add(id.toHexString());
    return {
      found: records.filter(({ _id }) => matching.has(_id.toHexString())),
      goesOn: hasMore ? (records.at(-1)?._id ?? null) : null,
    };
  }

  private async total<R extends OwnedRecord>({ count, text, named, page }: Running<R>): Promise<Total> {
    let all = 0;
    const isNamed = new Set(named.map((id) => id.toHexString()));
    if (named.length > 0) all += (await count(among(page.filter, named))).count;
    for await (const batch of this.texts.batchesOf(text, FEW)) {
      const others = batch.filter((id) => !isNamed.has(id.toHexString()));
      all += (await count(among(page.filter, others))).count;
      if (all > MAX_COUNTED) return totalOf(all);
    }
    return totalOf(all);
  }
}

async function idsNamed<R extends OwnedRecord>(
  records: CompanyRecords<R>,
  query: string,
  shortIds: boolean,
): Promise<Id[]> {
  const { id, human_id } = idsMeant(query);
  const found = [
    id === null ? null : await records.find(id, { deleted: true }),
    human_id === null || !shortIds ? null : await records.one({ human_id }),
  ];
  return found.flatMap((record) => (record === null ? [] : [record._id]));
}

/** The ids come first: some servers go by the first field of a filter. */
function among(filter: Filter, ids: readonly Id[]): Filter {
  return { _id: { $in: [...ids] }, ...filter };
}
