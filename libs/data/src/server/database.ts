import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Collection, Connection, mongo } from 'mongoose';

import { databaseTrouble, isTransactionConflict } from './database-trouble.js';
import { placeAlone, refusesCompoundPlaces } from './place-index.js';
import { rowCollections } from './row-collection.js';
import { recordTypeIn, shardingOf, type Sharding } from '@commerce/records';

/** A declared index, or the database's description of one. */
type Index = mongo.IndexDescription;

/** What makes two indexes of the same fields different. */
const DECISIVE = ['unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds'] as const;

/** There is no such index; somebody else dropped it. */
const INDEX_NOT_FOUND = 27;

/** Somebody else created the collection. */
const NAMESPACE_EXISTS = 48;

/** A collection, with its indexes besides that of `_id`, and how a sharded MongoDB distributes it. */
export interface DeclaredCollection {
  readonly collection: Collection;
  readonly indexes: readonly Index[];
  /** Null: it stays on one shard. */
  readonly sharding: Sharding | null;
}

/** Health, collections and indexes of the database. */
@Injectable()
export class Database {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async ping(): Promise<void> {
    await this.connection.db?.admin().ping();
  }

  /**
   * Creates the missing collections and indexes, and replaces the indexes that an earlier version declared differently.
   * Harmless when all are as they should be.
   */
  async ensureIndexes(): Promise<void> {
    const listed = await patiently(() => this.connection.listCollections());
    const existing = new Set(listed.map(({ name }) => name));
    for (const { collection, indexes } of this.collections()) {
      await patiently(async () => {
        // Indexes that come with their collection need no pass over it. DocumentDB builds others seconds later.
        await this.ensure(collection, indexes);
        const { collectionName: name } = collection;
        if (!existing.has(name)) await this.create(name);
      });
    }
  }

  /** Every collection, of records and of rows. */
  collections(): DeclaredCollection[] {
    const ofRecords = this.connection.modelNames().map((name) => {
      const { collection, schema } = this.connection.model(name);
      const type = recordTypeIn(collection.collectionName);
      const indexes = schema.indexes().map(([key, options]) => describe(key, options));
      return { collection, indexes, sharding: type === null ? null : shardingOf(type) };
    });
    const ofRows = rowCollections().map(({ name, indexes, sharding }) => ({
      collection: this.connection.collection(name),
      indexes,
      sharding,
    }));
    return [...ofRecords, ...ofRows];
  }

  private async create(name: string): Promise<void> {
    try {
      await this.connection.createCollection(name);
    } catch (error) {
      if ((error as { code?: unknown }).code !== NAMESPACE_EXISTS) throw error;
    }
  }

  private async ensure(collection: Collection, declared: readonly Index[]): Promise<void> {
    const existing = await indexesOf(collection);
    for (const { name } of existing.filter((one) => declared.some((index) => contradicts(one, index)))) {
      await dropIndex(collection, name ?? '');
    }
    const missing = declared.filter((index) => !existing.some((one) => isSame(one, index)));
    if (missing.length > 0) await create(collection, missing);
  }
}

async function create(collection: Collection, indexes: readonly Index[]): Promise<void> {
  try {
    await collection.createIndexes([...indexes]);
  } catch (error) {
    if (!refusesCompoundPlaces(error)) throw error;
    await collection.createIndexes(indexes.map(placeAlone));
  }
}

/** How often in a row a step may take longer than a call, or meet the same step of another process. */
const MAX_CALLS = 1000;

/**
 * The server continues to build an index whose caller has gone; the next request for it waits for the end.
 * Where transactions of a dead process are still open, it has to wait for those as well. Of two processes that change
 * the indexes of a collection at the same time, DocumentDB may refuse one.
 */
async function patiently<T>(step: () => Promise<T>): Promise<T> {
  for (let call = 1; ; call += 1) {
    try {
      return await step();
    } catch (error) {
      const passes = databaseTrouble(error) === 'silent' || isTransactionConflict(error);
      if (!passes || call === MAX_CALLS) throw error;
    }
  }
}

/** Without what Mongoose adds for itself. */
function describe(key: object, options: object): Index {
  const index = { ...options, key };
  Reflect.deleteProperty(index, 'background');
  return index as Index;
}

/** Drops an index unless somebody else has. */
async function dropIndex(collection: Collection, name: string): Promise<void> {
  try {
    await collection.dropIndex(name);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INDEX_NOT_FOUND) throw error;
  }
}

function isSame(one: Index, other: Index): boolean {
  return keyOf(one) === keyOf(other) && DECISIVE.every((name) => textOf(one[name]) === textOf(other[name]));
}

/** Whether both are about the same fields, or bear one name, and differ in what makes an index. */
function contradicts(existing: Index, declared: Index): boolean {
  const isRival = keyOf(existing) === keyOf(declared) || existing.name === declared.name;
  return isRival && !isSame(existing, declared);
}

function keyOf({ key }: Index): string {
  return textOf(key instanceof Map ? Object.fromEntries(key as Map<string, unknown>) : key);
}

function textOf(value: unknown): string {
  return value === undefined || value === false ? '' : JSON.stringify(value);
}

/** The indexes of a collection; none where there is no such collection yet. */
async function indexesOf(collection: Collection): Promise<Index[]> {
  try {
    return await collection.indexes();
  } catch (error) {
    if ((error as { codeName?: unknown }).codeName === 'NamespaceNotFound') return [];
    throw error;
  }
}
