import { mongo, type Collection } from 'mongoose';

import { mapInTurns } from '@commerce/platform';
import type { Filter } from '@commerce/records';
import { databaseTrouble } from '../server/database-trouble.js';

interface Limits {
  /** The most documents that the read gives. */
  readonly limit: number;
  readonly maxTimeMS?: number;
}

interface FindLimits extends Limits {
  readonly projection?: Readonly<Record<string, 1>>;
}

/** The projection on these fields. */
export function projectionOn(fields: readonly string[]): Record<string, 1> {
  return Object.fromEntries(fields.map((field) => [field, 1] as const));
}

/** The reply to a command that opens a cursor; its id is 0 where the first batch holds everything. */
interface FirstBatch {
  readonly cursor: { readonly id: number | mongo.Long; readonly firstBatch: Uint8Array[] };
}

/** Has the driver leave the documents of a reply unread. */
const UNREAD = { fieldsAsRaw: { firstBatch: true } };

/** The documents of a collection that match a filter. */
export function findWhole<T extends object>(
  collection: Collection<T>,
  filter: Filter,
  { limit, ...options }: FindLimits,
): Promise<T[]> {
  const command = { find: collection.collectionName, filter, limit, batchSize: limit + 1, ...options };
  return inOneReply(collection, command, () =>
    collection.find<T>(filter as mongo.Filter<T>, { limit, ...options }),
  );
}

/** The documents that an aggregation ends with. */
export function aggregateWhole<T extends object>(
  collection: Collection<T>,
  pipeline: object[],
  { limit, ...options }: Limits,
): Promise<T[]> {
  const aggregate = collection.collectionName;
  const command = { aggregate, pipeline, cursor: { batchSize: limit + 1 }, ...options };
  return inOneReply(collection, command, () => collection.aggregate<T>(pipeline, options));
}

/**
 * Sends a command without a cursor of the driver, which parses each document twice and keeps both results until it ends:
 * a fifth of the processor time of a list. Other requests run between the documents: a reply may have 16 MB. Like a cursor, it asks once more where the connection broke or the server is
 * changing. Where one reply has no room for the documents, a cursor reads them after all.
 */
async function inOneReply<T extends object>(
  collection: Collection<T>,
  command: object,
  byCursor: () => { toArray(): Promise<T[]> },
): Promise<T[]> {
  const { conn, collectionName } = collection;
  const { db } = conn;
  if (db === undefined) throw new Error('the database is not connected');
  // Not the collection's: Mongoose's collections hide these two fields of the driver's.
  const { readConcern, readPreference } = db;
  const ask = (): Promise<object> => db.command({ ...command, readConcern }, { readPreference, ...UNREAD });
  const { cursor } = (await ask().catch((error: unknown) => {
    if (isRepeatable(error)) return ask();
    throw error;
  })) as FirstBatch;
  const { id, firstBatch } = cursor;
  if (id === 0) {
    return mapInTurns(firstBatch, (bytes) => mongo.BSON.deserialize(bytes, db.bsonOptions) as T);
  }
  await db.command({ killCursors: collectionName, cursors: [mongo.Long.fromValue(id)] }, { readPreference });
  return byCursor().toArray();
}

/** Whether the driver repeats a read after this error. */
function isRepeatable(error: unknown): boolean {
  if (error instanceof mongo.MongoNetworkError) return true;
  return error instanceof mongo.MongoServerError && databaseTrouble(error) === 'away';
}
