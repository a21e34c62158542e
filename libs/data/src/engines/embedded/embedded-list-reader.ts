import { LRUCache } from 'lru-cache';

import { SystemClock } from '@commerce/platform';
import { databaseTrouble } from '../../server/database-trouble.js';
import type { ListReader } from '../../reading/engine.js';
import type { FieldKind } from '@commerce/records';
import { leadingFields } from './leading-fields.js';
import {
  isNullable,
  isRange,
  sortFieldOf,
  stretchesAfter,
  within,
  type Bounds,
  type Stretch,
} from '../../reading/list-order.js';
import { reaches, spreadOf, upTo } from './list-windows.js';
import type { RecordModel } from '@commerce/records';
import { MAX_READ_MS } from '../../reading/page.js';
import { aggregateWhole } from '../../reading/read-whole.js';
import type { Filter, PageQuery, Sort } from '@commerce/records';
import { idAt, optionsOf, type OwnedRecord, type RecordType } from '@commerce/records';

/** Lists whose last window is remembered, per kind of record. */
const REMEMBERED = 2000;
/** A list that is narrowed to what few records have takes longer than this only where many have it. */
const FEW_MS = 200;

type Document = Record<string, unknown>;

/** The list of a page: its filter and its order. */
interface SortedList {
  readonly filter: Filter;
  readonly sort: Sort;
  readonly kind: FieldKind;
  /** Whether the sort field may be null; null comes before all values. */
  readonly nullable: boolean;
  /** Names the list among those that are remembered; null where it is not read through windows. */
  readonly key: string | null;
  /** Whether the filter begins with what narrows the list: it places the company itself. */
  readonly isNarrow: boolean;
  /** The time that a query may take. */
  readonly maxTimeMS: number;
}

/** Which records of a list make a page. */
interface Place {
  readonly last: OwnedRecord | null;
  readonly skip: number;
  readonly wanted: number;
}

/** One stretch of a sorted list, and the windows that may hold enough of it, the narrowest first. */
interface Part extends Stretch {
  readonly reaches: readonly unknown[];
}

/**
 * Reads pages at about the cost of the records that they return, although the server reads and sorts all that a filter
 * matches. A page is read through a window on the sort field that widens until it holds enough, up to the whole list. A
 * list's first window ends where its page ended the last time. A narrowed list is read without windows unless that is slow.
 */
export class EmbeddedListReader implements ListReader {
  private readonly ends = new LRUCache<string, { readonly value: unknown }>({ max: REMEMBERED });
  private readonly spreads = new LRUCache<string, number>({ max: REMEMBERED });
  /** Narrowed lists that are still long. */
  private readonly long = new LRUCache<string, true>({ max: REMEMBERED });
  /** The running reads of lists whose end is not remembered; each resolves, also in an error. */
  private readonly first = new Map<string, Promise<unknown>>();
  private readonly clock = new SystemClock();

  constructor(
    private readonly model: RecordModel,
    private readonly type: RecordType,
  ) {}

  async read(filter: Filter, query: PageQuery, last: OwnedRecord | null): Promise<Document[]> {
    const list = this.listOf(filter, query.sort);
    const skip = last === null ? query.page * query.size : 0;
    const place = { last, skip, wanted: query.size + 1 };
    if (list.key !== null && list.isNarrow && !this.long.has(list.key)) {
      const found = await this.readNarrow(list, place);
      if (found !== null) return found;
      this.long.set(list.key, true);
    }
    const read = (): Promise<Document[]> => this.readPart(list, place);
    return last === null && list.key !== null
      ? this.oneFirst(endKey(list.key, skip + place.wanted), read)
      : read();
  }

  /** Without windows; null where that takes long. */
  private async readNarrow(list: SortedList, place: Place): Promise<Document[] | null> {
    try {
      return await this.readPart({ ...list, key: null, maxTimeMS: FEW_MS }, place);
    } catch (error) {
      if (databaseTrouble(error) === 'slow') return null;
      throw error;
    }
  }

  /** The first read of a list may cost as much as the list: concurrent reads of it wait. */
  private async oneFirst(key: string, read: () => Promise<Document[]>): Promise<Document[]> {
    if (this.ends.has(key)) return read();
    const ahead = this.first.get(key);
    if (ahead !== undefined) {
      await ahead;
      return read();
    }
    const reading = read();
    this.first.set(
      key,
      reading.catch(() => undefined),
    );
    try {
      return await reading;
    } finally {
      this.first.delete(key);
    }
  }

  private async readPart(list: SortedList, { last, skip, wanted }: Place): Promise<Document[]> {
    const found: Document[] = [];
    for (const part of last === null ? [this.beginning(list, skip + wanted)] : this.following(list, last)) {
      found.push(...(await this.fill(list, part, skip, wanted - found.length)));
      if (found.length >= wanted) break;
    }
    this.learn(list, found, last === null ? skip + wanted : null, wanted);
    return found;
  }

  private listOf(filter: Filter, sort: Sort): SortedList {
    const field = sortFieldOf(this.type, sort);
    // Ids find their records at once, and are too many to be remembered.
    const key = '_id' in filter ? null : JSON.stringify([filter, sort]);
    const nullable = isNullable(field);
    const isNarrow = Object.keys(filter)[0] !== 'company';
    return { filter, sort, kind: field.kind, nullable, key, isNarrow, maxTimeMS: MAX_READ_MS };
  }

  /** The list from its beginning. */
  private beginning({ sort, kind, nullable, key }: SortedList, needed: number): Part {
    if (key === null) return { bounds: {}, reaches: [] };
    if (nullable && sort.direction === 1) return { bounds: null, reaches: [] };
    const end = this.ends.get(endKey(key, needed));
    if (end !== undefined) return { bounds: {}, reaches: end.value === null ? [] : [end.value] };
    if (sort.direction === 1 || (kind !== 'instant' && kind !== 'id')) return { bounds: {}, reaches: [] };
    const now = this.clock.now();
    return { bounds: {}, reaches: reaches(sort, kind === 'id' ? idAt(now) : now, null) };
  }

  /** The stretches that follow a record, each with its windows. */
  private following({ sort, key }: SortedList, last: OwnedRecord): Part[] {
    const value = (last as unknown as Document)[sort.field] ?? null;
    const spread = key === null ? null : (this.spreads.get(key) ?? null);
    return stretchesAfter(sort, sortFieldOf(this.type, sort), last).map((stretch) => ({
      ...stretch,
      reaches: key === null || value === null || stretch.bounds === null ? [] : reaches(sort, value, spread),
    }));
  }

  /** The first records of a part: `wanted` of them, or all that it has. */
  private async fill(list: SortedList, part: Part, skip: number, wanted: number): Promise<Document[]> {
    const { bounds, where } = part;
    for (const reach of bounds === null ? [] : part.reaches) {
      const found = await this.fetch(list, within(bounds ?? {}, upTo(list.sort, reach)), { skip, wanted });
      if (found.length === wanted) return found;
    }
    return this.fetch(list, bounds ?? {}, { skip, wanted, ...(where === undefined ? {} : { where }) });
  }

  private async fetch(
    list: SortedList,
    bounds: Bounds,
    { skip, wanted, where }: { skip: number; wanted: number; where?: Filter },
  ): Promise<Document[]> {
    const { field, direction } = list.sort;
    const [first, rest] = this.stages(list, bounds, where);
    const stages = [
      { $match: first },
      { $sort: { [field]: direction, _id: direction } },
      ...(Object.keys(rest).length > 0 ? [{ $match: rest }] : []),
      ...(skip > 0 ? [{ $skip: skip }] : []),
      { $limit: wanted },
    ];
    return aggregateWhole(this.model.collection, stages, { limit: wanted, maxTimeMS: list.maxTimeMS });
  }

  /**
   * The conditions before and after the sort: the server takes an index only if it covers all conditions of the first match.
   */
  private stages(
    { filter, sort, key, isNarrow }: SortedList,
    bounds: Bounds,
    where?: Filter,
  ): [Filter, Filter] {
    const { company, ...asked } = filter;
    const own = asked[sort.field];
    const range = isRange(own) ? within(own, bounds) : bounds;
    const first: Filter = { company };
    for (const field of leadingFields(optionsOf(this.type).list, sort.field, asked)) {
      first[field] = asked[field];
      Reflect.deleteProperty(asked, field);
    }
    if (where !== undefined) return [{ ...first, ...where }, asked];
    if (Object.keys(range).length > 0) {
      if (isRange(own)) Reflect.deleteProperty(asked, sort.field);
      if (asked[sort.field] === undefined) first[sort.field] = range;
      else asked['$and'] = [...((asked['$and'] as Filter[] | undefined) ?? []), { [sort.field]: range }];
    }
    if (key === null) return [{ ...asked, ...first }, {}];
    return isNarrow && Object.keys(bounds).length === 0 ? [filter, {}] : [first, asked];
  }

  /** Remembers where the page ended, and how far apart its records are. */
  private learn(list: SortedList, found: readonly Document[], needed: number | null, wanted: number): void {
    if (list.key === null) return;
    const values = found.map((document) => document[list.sort.field] ?? null);
    const end = values.length < wanted ? null : (values.at(-1) ?? null);
    if (needed !== null) this.ends.set(endKey(list.key, needed), { value: end });
    const spread = spreadOf(values[0], values.at(-1));
    if (spread !== null && found.length === wanted) this.spreads.set(list.key, spread);
  }
}

/** Where the end of the first `needed` records of a list is remembered. */
function endKey(list: string, needed: number): string {
  return `${list}${String(needed)}`;
}
