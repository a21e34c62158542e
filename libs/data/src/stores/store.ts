import { fault } from '@commerce/kernel';
import { mapInTurns } from '@commerce/platform';
import type { QueryFilter } from 'mongoose';

import {
  withArticle,
  isId,
  parseId,
  sameId,
  type Id,
  hydrate,
  isDeleted,
  optionsOf,
  partHydrator,
  type FindOptions,
  type OwnedRecord,
  type RecordType,
} from '@commerce/records';
import { ownerOnly, type Caller } from '../reading/caller.js';
import { BatchLoader } from '../reading/batch-loader.js';
import { Counter } from '../reading/counter.js';
import { engineOf, type Engine, type ListReader } from '../reading/engine.js';
import { findWhole, projectionOn } from '../reading/read-whole.js';
import type { Page, Total } from '../reading/page.js';
import type { Filter, PageQuery, RecordModel } from '@commerce/records';

type Sort = Record<string, 1 | -1>;

/**
 * The records of one kind, reached through a company only: `store.in(company)` or `store.for(caller)`. What looks
 * across companies, as sweeps do, is a method of the concrete store that returns ids and owners only.
 */
export abstract class RecordStore<R extends OwnedRecord> {
  readonly engine: Engine;
  private reader: ListReader | null = null;
  readonly counter: Counter;
  readonly loader: BatchLoader<R>;

  constructor(
    readonly model: RecordModel,
    readonly type: RecordType<R>,
  ) {
    this.engine = engineOf(model.db);
    this.counter = new Counter(model);
    this.loader = new BatchLoader(type, (company) => this.in(company));
  }

  /** The reader of lists, which remembers much: it is made for the first of them, in a process that reads any. */
  get lists(): ListReader {
    return (this.reader ??= this.engine.listReader(this.model, this.type));
  }

  in(company: Id): CompanyRecords<R> {
    return new CompanyRecords(this, company);
  }

  /** As `loader`, for those records only that meet a condition. */
  loaderOf(condition: Filter): BatchLoader<R> {
    return new BatchLoader(this.type, (company) => {
      const records = this.in(company);
      return {
        find: (_id) => records.one({ _id, ...condition }),
        byIds: (ids) => records.byIds(ids, condition),
      };
    });
  }

  /**
   * The records that a caller may see: a user only its own, where the record has an owner; an admin all of the
   * company's, and with `show` deleted ones too.
   */
  for(caller: Caller): CompanyRecords<R> {
    const { owner } = optionsOf(this.type);
    const only = owner === undefined ? null : ownerOnly(caller);
    const own = owner === undefined || only === null ? null : { field: owner, id: only };
    return new CompanyRecords(this, caller.company, own, caller.role === 'admin');
  }

  /**
   * The company of a record, for admin commands, which know only its id.
   * @throws Fault `<noun>.not_found`
   */
  async companyOf(id: string): Promise<Id> {
    const key = parseId(id);
    const found =
      key === null ? null : await this.model.findById(key, { company: 1 }).lean<{ company: Id }>();
    if (found === null) throw notFound(this.type);
    return found.company;
  }
}

/** Narrows the records of a company to those of one user. */
interface Own {
  readonly field: 'user' | '_id';
  readonly id: Id;
}

/** The records of one kind that one company owns. Filters hold typed values, which need no casting by Mongoose. */
export class CompanyRecords<R extends OwnedRecord> {
  constructor(
    readonly store: RecordStore<R>,
    readonly company: Id,
    private readonly own: Own | null = null,
    private readonly seesDeleted = false,
  ) {}

  private get model(): RecordModel {
    return this.store.model;
  }

  private get type(): RecordType<R> {
    return this.store.type;
  }

  /** The record with this id; null when it is unknown, deleted or another company's. */
  async find(id: Id | string, options: FindOptions = {}): Promise<R | null> {
    const key = typeof id === 'string' ? parseId(id) : id;
    if (key === null) return null;
    const asked = this.store.engine.withId(key, { company: this.company });
    const document = await this.model.collection.findOne(asked);
    return this.visible(document === null ? null : hydrate(this.type, document), options);
  }

  /** As find, but throws `<noun>.not_found` instead of returning null. */
  async get(id: Id | string, options: FindOptions = {}): Promise<R> {
    const found = await this.find(id, options);
    if (found) return found;
    throw notFound(this.type);
  }

  /**
   * As get, for showing: an admin also sees a deleted record, with its flag. Concurrent calls share one object, which
   * is frozen.
   */
  async show(id: Id | string): Promise<Readonly<R>> {
    const key = typeof id === 'string' ? parseId(id) : id;
    const found = key === null ? null : await this.store.loader.find(this.company, key, { deleted: true });
    const shown = this.visible(found, { deleted: this.seesDeleted });
    if (shown) return Object.freeze(shown);
    throw notFound(this.type);
  }

  /**
   * As get, for ids in a body: throws `<noun>.unknown` naming the field, for an unknown id and for another company's
   * alike, and for a record that the caller may not name.
   */
  async referred(id: Id, path: string, mayName: (record: R) => boolean = () => true): Promise<R> {
    const found = await this.find(id);
    if (found && mayName(found)) return found;
    const { noun } = optionsOf(this.type);
    const message = `${path} is not the id of ${withArticle(noun)}`;
    throw fault(`${noun}.unknown`, message, { errors: [{ path, code: `${noun}.unknown`, message }] });
  }

  async one(filter: Filter): Promise<R | null> {
    const asked = this.owned(filter);
    const found = asked === null ? null : await this.model.collection.findOne(asked);
    return found === null ? null : hydrate(this.type, found);
  }

  async many(filter: Filter, options: { sort?: Record<string, 1 | -1>; limit?: number } = {}): Promise<R[]> {
    const asked = this.owned(filter);
    if (asked === null) return [];
    const found = await this.model.collection.find(asked, options).toArray();
    return found.map((document) => hydrate(this.type, document));
  }

  /**
   * These records by the text of their ids, in one read; those of other companies, or that do not meet the condition,
   * are left out.
   */
  async byIds(ids: readonly Id[], condition: Filter = {}): Promise<Map<string, R>> {
    const asked = this.owned({ _id: { $in: [...ids] }, ...condition });
    if (asked === null) return new Map();
    const found = await findWhole(this.model.collection, asked, { limit: ids.length });
    const records = found.map((document) => hydrate(this.type, document));
    return new Map(records.map((record) => [record._id.toHexString(), record]));
  }

  /** These fields, and no others, of the records that match, so many at most. */
  async parts<K extends keyof R & string>(
    filter: Filter,
    fields: readonly K[],
    limit: number,
  ): Promise<Pick<R, K | '_id'>[]> {
    const asked = this.owned(filter);
    if (asked === null) return [];
    const projection = projectionOn(fields);
    const found = await findWhole(this.model.collection, asked, { limit, projection });
    return found.map(partHydrator(this.type, ['_id', ...fields]));
  }

  /** As `byIds`, these fields only. */
  async partsByIds<K extends keyof R & string>(
    ids: readonly Id[],
    fields: readonly K[],
  ): Promise<Map<string, Pick<R, K | '_id'>>> {
    const found = await this.parts({ _id: { $in: [...ids] } }, fields, ids.length);
    return new Map(found.map((part) => [part._id.toHexString(), part]));
  }

  async count(filter: Filter): Promise<number> {
    const asked = this.owned(filter);
    return asked === null ? 0 : this.model.countDocuments(asked);
  }

  /** One page of a list and, where the query asks for it, the count of the whole. */
  async page(query: PageQuery): Promise<Page<R>> {
    const last = query.after === null ? null : await this.lastSeen(query.after);
    const asked = this.owned(query.filter);
    const [found, total] = await Promise.all([
      asked === null ? [] : this.store.lists.read(asked, query, last),
      query.total ? this.total(query.filter) : null,
    ]);
    const records = await mapInTurns(found.slice(0, query.size), (document) => hydrate(this.type, document));
    return { records, query, hasMore: found.length > query.size, total };
  }

  /** How many records match, as far as people want to know: counting a long list would cost more than reading it. */
  async total(filter: Filter): Promise<Total> {
    const asked = this.owned(filter);
    return asked === null ? { count: 0, capped: false } : this.store.counter.count(asked);
  }

  /** Every record that matches, one at a time: memory does not grow with their number. */
  async *stream(filter: Filter, sort: Sort = { _id: 1 }): AsyncGenerator<R> {
    for await (const batch of this.batches(filter, { sort, batchSize: 200 }))
      for (const document of batch) yield hydrate(this.type, document);
  }

  /** These fields, and no others, of every record that matches, so many at a time. */
  async *partsInBatches<K extends keyof R & string>(
    filter: Filter,
    fields: readonly K[],
    options: { readonly sort: Sort; readonly batchSize: number },
  ): AsyncGenerator<Pick<R, K | '_id'>[]> {
    const part = partHydrator(this.type, ['_id', ...fields]);
    const projection = projectionOn(fields);
    for await (const batch of this.batches(filter, { ...options, projection })) yield batch.map(part);
  }

  /** The documents that match, as many together as the database sends. */
  private async *batches(
    filter: Filter,
    options: { readonly sort: Sort; readonly batchSize: number; readonly projection?: object },
  ): AsyncGenerator<object[]> {
    const asked = this.owned(filter);
    if (asked === null) return;
    const cursor = this.model.collection.find(asked, options);
    try {
      while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
    } finally {
      await cursor.close();
    }
  }

  private async lastSeen(after: Id): Promise<R> {
    const last = await this.find(after, { deleted: true });
    if (last !== null) return last;
    const message = 'after is not the id of a record of this list';
    throw fault('value.invalid', message, { errors: [{ path: 'after', code: 'value.invalid', message }] });
  }

  /** The filter restricted to these records; null if it can match none, so that the database need not be asked. */
  private owned(filter: Filter): QueryFilter<unknown> | null {
    const own = this.own === null ? filter : narrowed(filter, this.own);
    return Object.values(own).some(isEmptyChoice) ? null : this.store.engine.ofCompany(this.company, own);
  }

  private visible(record: R | null, { deleted }: FindOptions): R | null {
    if (record === null || !this.isOwn(record)) return null;
    return deleted !== true && isDeleted(this.type, record) ? null : record;
  }

  private isOwn(record: R): boolean {
    if (this.own === null) return true;
    const owner = (record as unknown as Record<string, Id | null>)[this.own.field];
    return sameId(owner, this.own.id);
  }
}

function notFound(type: RecordType): Error {
  const { noun } = optionsOf(type);
  return fault(`${noun}.not_found`, `There is no ${noun.replaceAll('_', ' ')} with this id`);
}

/** Whether a condition is a choice among no values: `{$in: []}`. */
function isEmptyChoice(condition: unknown): boolean {
  const choice = (condition as { $in?: unknown } | null)?.$in;
  return Array.isArray(choice) && choice.length === 0;
}

/** The filter with the owner added. Asking for what is somebody else's finds nothing. */
function narrowed(filter: Filter, { field, id }: Own): Filter {
  const asked = filter[field];
  if (asked === undefined) return { [field]: id, ...filter };
  if (isId(asked) || asked === null) return { ...filter, [field]: sameId(asked, id) ? id : { $in: [] } };
  // Operators, such as $in of several ids: both must hold.
  return { ...filter, [field]: { ...asked, $eq: id } };
}
