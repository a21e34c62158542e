import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import {
  MAX_READ_MS,
  RowCollection,
  engineOf,
  findWhole,
  inTransaction,
  type UnitOfWork,
} from '@commerce/data';
import { BY_COMPANY, type Filter, type Id } from '@commerce/records';
import { mongo, type ClientSession, type Collection, type Connection } from 'mongoose';

import { LongTexts } from './long-texts.js';
import {
  KEY_FIELDS,
  askedKeys,
  fieldOf,
  inFields,
  longKey,
  searchable,
  type KeyField,
} from './search-keys.js';
import type { Searched } from './searched.js';

/** The search text of a record, stored beside the record, which is read far more often than it is searched. */
interface SearchText extends Readonly<Partial<Record<KeyField, readonly number[]>>> {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: Searched;
  readonly text: string;
}

type TextRow = Pick<SearchText, '_id' | 'text'>;

/** A record, and its texts for searches. */
export interface SearchedRecord {
  readonly _id: Id;
  readonly texts: readonly string[];
}

/** A search in the records of one kind, of one company; the query is in lower case. */
export interface TextQuery {
  readonly company: Id;
  readonly kind: Searched;
  readonly query: string;
}

const SEARCHED = { text: 1, ...Object.fromEntries(KEY_FIELDS.map((field) => [field, 1])) };

const TEXTS_IN_TIME = { projection: { text: 1 }, maxTimeMS: MAX_READ_MS } as const;

const IDS_IN_TIME = { projection: { _id: 1 }, maxTimeMS: MAX_READ_MS } as const;

/** The keys are indexed alone, since they contain their scope; the embedded server stores the name with each entry. */
const TEXTS = new RowCollection<SearchText>('search_texts', {
  sharding: BY_COMPANY,
  indexes: KEY_FIELDS.map((name) => ({ key: { [name]: 1 }, name, sparse: true })),
});

@Injectable()
export class SearchTextStore {
  private readonly long = new LongTexts((company, kind) =>
    this.texts.findOne({ ...withKey(longKey(scopeOf(company, kind))), company, kind }, IDS_IN_TIME),
  );

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Adds the search texts of a new record, in the commit that writes it. */
  add(work: UnitOfWork, kind: Searched, _id: Id, texts: readonly string[]): void {
    const document = { _id, ...this.rowOf(work.company, kind, texts) };
    work.stores(_id, () => mongo.BSON.calculateObjectSize(document));
    work.row({ collection: TEXTS.name, operation: { insertOne: { document } } });
  }

  /** Replaces the search texts of a record, in the commit that writes it. */
  write(work: UnitOfWork, kind: Searched, _id: Id, texts: readonly string[]): void {
    const replaceOne = this.replacement(work.company, kind, { _id, texts });
    work.stores(_id, () => mongo.BSON.calculateObjectSize({ _id, ...replaceOne.replacement }));
    work.row({ collection: TEXTS.name, operation: { replaceOne } });
  }

  /** The records among these whose stored search texts differ from their own. */
  async stale(company: Id, kind: Searched, records: readonly SearchedRecord[]): Promise<Id[]> {
    const ids = records.map(({ _id }) => _id);
    const rows = await this.texts.find(this.among(company, ids), { projection: SEARCHED }).toArray();
    const known = new Map(rows.map((row) => [row._id.toHexString(), row]));
    const isStale = ({ _id, texts }: SearchedRecord): boolean => {
      const row = known.get(_id.toHexString());
      const { text, keys } = searchable(scopeOf(company, kind), texts);
      const fields = inFields(keys);
      return row?.text !== text || KEY_FIELDS.some((name) => row[name]?.join() !== fields[name]?.join());
    };
    return records.filter(isStale).map(({ _id }) => _id);
  }

  /**
   * As `write`, for several records. `read` reads them in the same transaction, so that a concurrent change of their
   * texts is never overwritten: one of the two writers starts over.
   */
  rewrite(
    work: UnitOfWork,
    kind: Searched,
    read: (session: ClientSession) => Promise<readonly SearchedRecord[]>,
  ): void {
    const run = async (session: ClientSession): Promise<void> => {
      for (const record of await read(session)) {
        const { filter, replacement: row } = this.replacement(work.company, kind, record);
        await this.texts.replaceOne(filter, row, { upsert: true, session });
      }
    };
    work.also((session) => (session === undefined ? inTransaction(this.connection, run) : run(session)));
  }

  /** The ids of records that contain the query, in no order; at most `limit` of them. */
  async idsOf(query: TextQuery, limit: number): Promise<Id[]> {
    const ids: Id[] = [];
    for (const filter of await this.filtersFor(query)) {
      ids.push(...(await this.someWith(filter, query.query, limit)));
      if (ids.length >= limit) break;
    }
    return ids.slice(0, limit);
  }

  /** The ids of all records that contain the query, in batches of at most `size`. */
  async *batchesOf(query: TextQuery, size: number): AsyncGenerator<Id[]> {
    for (const filter of await this.filtersFor(query)) yield* this.batchesWith(filter, query.query, size);
  }

  /** The records among these that contain the query. */
  async matching({ company, query }: TextQuery, ids: readonly Id[]): Promise<Set<string>> {
    const filter = this.among(company, ids, { text: { $regex: literal(query) } });
    const found = await this.texts.find(filter, IDS_IN_TIME).toArray();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  /** The ids of at least `limit` records that match the filter and contain the query, or of all. */
  private async someWith(filter: Filter, query: string, limit: number): Promise<Id[]> {
    const rows = await findWhole(this.texts, filter, { ...TEXTS_IN_TIME, limit });
    const ids = idsWith(rows, query);
    if (rows.length < limit || ids.length === limit) return ids;
    const all: Id[] = [];
    for await (const batch of this.batchesWith(filter, query, limit)) {
      all.push(...batch);
      if (all.length >= limit) break;
    }
    return all;
  }

  /**
   * The ids of the records that match the filter and contain the query. Nearly all of them do, so their texts are
   * compared here: with a pattern in the query, the embedded server would read all texts of the company.
   */
  private async *batchesWith(filter: Filter, query: string, batchSize: number): AsyncGenerator<Id[]> {
    const cursor = this.texts.find(filter, { ...TEXTS_IN_TIME, batchSize });
    try {
      while (await cursor.hasNext()) {
        yield idsWith(cursor.readBufferedDocuments(), query);
      }
    } finally {
      await cursor.close();
    }
  }

  /**
   * Filters that together find each row that may contain the query. Keys lead their filters: they are more selective than
   * the company, and some servers choose an index by the first field.
   */
  private async filtersFor({ company, kind, query }: TextQuery): Promise<Filter[]> {
    const { first, last, bucket } = askedKeys(scopeOf(company, kind), query);
    const own = { company, kind };
    const isLong = await this.long.areAmong(company, kind);
    return [
      // Without $elemMatch, MongoDB would use only one of the two ends as a bound of the index.
      { [fieldOf(first)]: { $elemMatch: { $gte: first, $lte: last } }, ...own },
      ...(isLong ? [{ ...withKey(bucket), ...own }] : []),
    ];
  }

  private rowOf(company: Id, kind: Searched, texts: readonly string[]): Omit<SearchText, '_id'> {
    const { text, keys, isLong } = searchable(scopeOf(company, kind), texts);
    if (isLong) this.long.note(company, kind);
    return { company, kind, text, ...inFields(keys) };
  }

  /** The update that replaces the search texts of a record. */
  private replacement(company: Id, kind: Searched, { _id, texts }: SearchedRecord) {
    return {
      filter: { _id, company },
      replacement: this.rowOf(company, kind, texts),
      upsert: true,
    } as const;
  }

  private among(company: Id, ids: readonly Id[], conditions: Filter = {}): Filter {
    return engineOf(this.connection).ofCompany(company, { _id: { $in: [...ids] }, ...conditions });
  }

  private get texts(): Collection<SearchText> {
    return TEXTS.in(this.connection);
  }
}

function idsWith(rows: readonly TextRow[], query: string): Id[] {
  return rows.filter(({ text }) => text.includes(query)).map(({ _id }) => _id);
}

function withKey(key: number): Filter {
  return { [fieldOf(key)]: key };
}

/** The scope of the searches in one kind of record of a company. */
function scopeOf(company: Id, kind: Searched): string {
  return `${company.toHexString()}/${kind}`;
}

/** The query as a pattern that matches only itself. */
function literal(query: string): string {
  return query.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
