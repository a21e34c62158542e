import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { MAX_COUNTED, totalOf, type CompanyRecords, type Page, type Total } from '@commerce/data';
import { type Filter, type Id, type OwnedRecord, type PageQuery } from '@commerce/records';

import { ListWalk } from './list-walk.js';
import { idsMeant } from './search-query.js';
import { SearchTextStore, type TextQuery } from './search-text.store.js';
import type { Searched } from './searched.js';

/** Shorter queries match so often that the list is read before the index. */
const MIN_SELECTIVE = 3;
/** Up to this number of matches are read by their ids and sorted, without reading the list. */
const RARE = 250;
/** Number of records read first, in the requested order, where more match. */
const FIRST_LOOK = 100;
/**
 * If the first read was not enough, up to this number of matches are read by their ids and sorted. It is also the size
 * of each further read.
 */
const FEW = 1000;
const MAX_SEARCH_MS = 2000;

/** The records that a search reads, and its query. */
export interface Search<R extends OwnedRecord> {
  readonly records: CompanyRecords<R>;
  readonly kind: Searched;
  readonly asked: string;
  /** Whether the query may be a short id, too. */
  readonly shortIds: boolean;
  /** Reads a page of the list without the search; by default in the order of the query. */
  readonly read?: (query: PageQuery) => Promise<Page<R>>;
  /** Counts that list; required with `read`. */
  readonly count?: (filter: Filter) => Promise<Total>;
}

interface Running<R extends OwnedRecord> extends Required<Search<R>> {
  readonly text: TextQuery;
  /** The ids equal to the query itself. */
  readonly named: readonly Id[];
  readonly page: PageQuery;
}

/**
 * Finds records that contain the query, in any case, or whose id or short id it is. Rare matches are found by the index
 * and sorted, frequent ones by walking the list itself, so that a page costs far less than all matches.
 */
@Injectable()
export class SearchReader {
  constructor(private readonly texts: SearchTextStore) {}

  async page<R extends OwnedRecord>(search: Search<R>, query: PageQuery): Promise<Page<R>> {
    const { records, kind, asked, shortIds } = search;
    const { read = (page) => records.page(page), count = (filter) => records.total(filter) } = search;
    const lowered = asked.toLowerCase();
    const text: TextQuery = { company: records.company, kind, query: lowered };
    const isShort = lowered.length < MIN_SELECTIVE;
    const [named, rare] = await Promise.all([
      idsNamed(records, lowered, shortIds),
      isShort ? null : this.texts.idsOf(text, RARE + 1),
    ]);
    const running = { records, kind, asked, shortIds, read, count, text, named, page: query };
    const byIds = (ids: readonly Id[]): Promise<Page<R>> =>
      read({ ...query, filter: among(query.filter, [...named, ...ids]) });
    if (rare !== null && rare.length <= RARE) return byIds(rare);
    const walk = this.walkOf(running);
    await walk.look(FIRST_LOOK);
    if (isShort && !walk.isDone) await walk.look(FEW);
    const few = walk.isDone ? null : await this.texts.idsOf(text, FEW + 1);
    if (few !== null && few.length <= FEW) return byIds(few);
    const until = performance.now() + MAX_SEARCH_MS;
    while (!walk.isDone) {
      if (performance.now() > until)
        throw fault('query.timeout', 'The search took too long; ask for more of the text');
      await walk.look(FEW);
    }
    const { records: found, hasMore } = walk;
    return { records: found, query, hasMore, total: query.total ? await this.total(running) : null };
  }

  private walkOf<R extends OwnedRecord>({ read, text, named, page }: Running<R>): ListWalk<R> {
    const matching = async (records: readonly R[]): Promise<R[]> => {
      const ids = await this.texts.matching(
        text,
        records.map(({ _id }) => _id),
      );
      for (const id of named) ids.add(id.toHexString());
      return records.filter(({ _id }) => ids.has(_id.toHexString()));
    };
    return new ListWalk({ read, matching }, page);
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

/** The ids come first: some servers choose an index by the first field of a filter. */
function among(filter: Filter, ids: readonly Id[]): Filter {
  return { _id: { $in: [...ids] }, ...filter };
}
