import { Injectable, type DynamicModule } from '@nestjs/common';
import { InjectModel, MongooseModule } from '@nestjs/mongoose';
import { MAX_READ_MS, inBatches, inTransaction, type Id, type UnitOfWork } from '@commerce/platform';
import { Schema, type ClientSession, type Model, type mongo } from 'mongoose';

import { askedGrams, searchable } from './search-grams.js';

/** What can be searched. */
export type Searched = 'coupon' | 'product' | 'resource';

/** What searches look in, beside its record: records are read far more often than they are searched. */
interface SearchText {
  readonly _id: Id;
  readonly company: Id;
  readonly kind: Searched;
  readonly text: string;
  readonly grams: readonly number[];
}

/** A record, and the texts by which searches are to find it. */
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

const NAME = 'SearchText';

const schema = new Schema(
  {
    company: { type: Schema.Types.ObjectId, required: true },
    kind: { type: String, required: true },
    text: { type: String, required: true },
    grams: { type: [Number], required: true },
  },
  {
    collection: 'search_texts',
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
    strictQuery: 'throw',
    bufferCommands: false,
  },
);
schema.index({ grams: 1, company: 1, kind: 1 });

/** Makes the collection injectable into its store. */
export function searchTextModel(): DynamicModule {
  return MongooseModule.forFeature([{ name: NAME, schema }]);
}

@Injectable()
export class SearchTextStore {
  constructor(@InjectModel(NAME) private readonly model: Model<unknown>) {}

  /** Has searches find a record by these texts, in the commit that writes it. */
  write(work: UnitOfWork, kind: Searched, _id: Id, texts: readonly string[]): void {
    work.also((session) => this.put(work.company, kind, { _id, texts }, session));
  }

  /** Those of these records that searches would not find by what they say. */
  async stale(company: Id, records: readonly SearchedRecord[]): Promise<Id[]> {
    const filter = { _id: { $in: records.map(({ _id }) => _id) }, company };
    const rows = await this.texts.find(filter, { projection: { text: 1 } }).toArray();
    const known = new Map(rows.map(({ _id, text }) => [_id.toHexString(), text]));
    const isStale = ({ _id, texts }: SearchedRecord): boolean =>
      known.get(_id.toHexString()) !== searchable(texts).text;
    return records.filter(isStale).map(({ _id }) => _id);
  }

  /**
   * As write, of several records. `read` reads them in the same transaction, so that a writer who changes what they say
   * meanwhile is never overwritten: one of both starts over.
   */
  rewrite(
    work: UnitOfWork,
    kind: Searched,
    read: (session: ClientSession) => Promise<readonly SearchedRecord[]>,
  ): void {
    const run = async (session: ClientSession): Promise<void> => {
      for (const record of await read(session)) await this.put(work.company, kind, record, session);
    };
    work.also((session) => (session === undefined ? inTransaction(this.model.db, run) : run(session)));
  }

  /** The ids of records that contain the query, in no order; at most `limit` of them. */
  async idsOf(query: TextQuery, limit: number): Promise<Id[]> {
    const found = await this.rows(query).limit(limit).toArray();
    return found.map(({ _id }) => _id);
  }

  /** The ids of all records that contain the query, in batches. */
  async *batchesOf(query: TextQuery, size: number): AsyncGenerator<Id[]> {
    for await (const batch of inBatches(this.rows(query).batchSize(size), size)) {
      yield batch.map(({ _id }) => _id);
    }
  }

  /** Which of these records contain the query. */
  async matching({ company, query }: TextQuery, ids: readonly Id[]): Promise<Set<string>> {
    const filter = { _id: { $in: [...ids] }, company, text: { $regex: literal(query) } };
    const options = { projection: { _id: 1 }, maxTimeMS: MAX_READ_MS } as const;
    const found = await this.texts.find(filter, options).toArray();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  private async put(
    company: Id,
    kind: Searched,
    { _id, texts }: SearchedRecord,
    session: ClientSession | undefined,
  ): Promise<void> {
    const row = { company, kind, ...searchable(texts) };
    await this.texts.replaceOne({ _id, company }, row, { upsert: true, session });
  }

  /** The grams come first: they find fewer than the company does, and some servers go by the first field. */
  private rows({ company, kind, query }: TextQuery): mongo.FindCursor<{ _id: Id }> {
    const filter = { grams: { $all: askedGrams(query) }, company, kind, text: { $regex: literal(query) } };
    return this.texts.find(filter, { projection: { _id: 1 }, maxTimeMS: MAX_READ_MS });
  }

  private get texts(): mongo.Collection<SearchText> {
    return this.model.collection as unknown as mongo.Collection<SearchText>;
  }
}

/** The query as a pattern that matches itself only. */
function literal(query: string): string {
  return query.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
