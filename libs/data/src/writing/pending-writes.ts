import { fault, type Fault } from '@commerce/kernel';
import { mongo, type ClientSession, type Connection } from 'mongoose';

import { isDuplicate, isDuplicateOf } from '../server/duplicate.js';
import { OUTBOX_COLLECTION, type OutboxRow } from './outbox.js';
import type { Filter } from '@commerce/records';
import { namedIndex, optionsOf, type OwnedRecord, type RecordType } from '@commerce/records';
import type { RowWrite } from './row-write.js';
import type { RecordStore } from '../stores/store.js';

export type Write = (session: ClientSession | undefined) => Promise<void>;

type Values = Record<string, unknown>;

/** One write of a unit of work, before its commit. */
export type PendingWrite =
  | { readonly kind: 'insert'; readonly store: RecordStore<OwnedRecord>; readonly values: Values }
  | {
      readonly kind: 'update';
      readonly store: RecordStore<OwnedRecord>;
      /** Names the version that was read. */
      readonly filter: Filter;
      readonly values: Values;
    }
  | { readonly kind: 'row'; readonly row: RowWrite }
  | { readonly kind: 'other'; readonly write: Write };

/** Whether a write adds a document. */
export function isInsert(one: PendingWrite): boolean {
  return one.kind === 'insert' || (one.kind === 'row' && 'insertOne' in one.row.operation);
}

/** These writes, if all are writes of records or add rows; null where there is any other. */
export function groupWrites(writes: readonly PendingWrite[]): SimpleWrite[] | null {
  return writes.every((one) => one.kind === 'update' || isInsert(one)) ? simpleWrites(writes) : null;
}

/** The writes that one command can make; null where there is any other among them. */
export function simpleWrites(writes: readonly PendingWrite[]): SimpleWrite[] | null {
  const found = writes.filter((one) => one.kind !== 'other');
  return found.length === writes.length ? found : null;
}

export type SimpleWrite = Exclude<PendingWrite, { kind: 'other' }>;

/** Makes one write. @throws the fault of its record where another writer was faster, or a unique value is taken */
export async function carryOut(
  connection: Connection,
  one: PendingWrite,
  session: ClientSession | undefined,
): Promise<void> {
  if (one.kind === 'other') return one.write(session);
  if (one.kind === 'row') return carryOutRow(connection, one.row, session);
  const { store, values } = one;
  try {
    if (one.kind === 'insert') {
      await store.model.collection.insertOne(values, { session });
    } else {
      const { matchedCount } = await store.model.collection.updateOne(
        one.filter,
        { $set: values },
        { session },
      );
      if (matchedCount === 0) throw conflict(store.type);
    }
  } catch (error) {
    throw takenValue(store.type, error);
  }
}

async function carryOutRow(
  connection: Connection,
  { collection, operation, missing, taken }: RowWrite,
  session: ClientSession | undefined,
): Promise<void> {
  const operations = [operation as mongo.AnyBulkWriteOperation];
  try {
    const { matchedCount } = await connection.collection(collection).bulkWrite(operations, { session });
    if (missing !== undefined && matchedCount === 0) throw missing();
  } catch (error) {
    throw taken !== undefined && isDuplicate(error) ? taken() : error;
  }
}

/** Of writes that were to be made together, one met another writer, found nothing, or broke a rule of its index. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict';
}

/**
 * Makes the first of these writes, then all others by one command across their collections. The first command of a
 * transaction names its read concern, which not every server takes with a `bulkWrite`.
 * @throws WriteConflict where another than the first fails or finds nothing: making them singly tells which, and why
 */
export async function carryOutAtOnce(
  connection: Connection,
  [first, ...others]: readonly SimpleWrite[],
  events: readonly OutboxRow[],
  session: ClientSession,
): Promise<void> {
  if (first !== undefined) await carryOut(connection, first, session);
  if (others.length === 0) return insertEvents(connection, events, session);
  const models = [
    ...others.map((one) => modelOf(connection, collectionOf(one), operationOf(one))),
    ...events.map((document) => modelOf(connection, OUTBOX_COLLECTION, { insertOne: { document } })),
  ];
  for (let at = 0; at < models.length; at += MODELS_AT_ONCE) {
    const some = models.slice(at, at + MODELS_AT_ONCE);
    const made = await connection
      .getClient()
      .bulkWrite(some, { session })
      .catch((error: unknown) => {
        throw causeOf(connection, error);
      });
    const found = made.insertedCount + made.matchedCount + made.upsertedCount + made.deletedCount;
    if (found !== some.length) throw new WriteConflict('a write found nothing');
  }
}

/** Writes in one command: the driver serializes all of them before it lets other requests run. */
const MODELS_AT_ONCE = 100;

/** Before MongoDB 8.0 there is no `bulkWrite`; DocumentDB knows the command, and does not support it. */
const WITHOUT_BULK_WRITE: ReadonlySet<unknown> = new Set([59, 115]);
const BAD_VALUE = 2;

/** Connections to servers that have none. */
const withoutBulkWrite = new WeakSet<Connection>();

/** Whether `carryOutAtOnce` is worth a try. */
export function takesBulkWrites(connection: Connection): boolean {
  return !withoutBulkWrite.has(connection);
}

/** The driver wraps what the server says about the whole command, and what it says about single writes. */
function causeOf(connection: Connection, error: unknown): unknown {
  if (!(error instanceof mongo.MongoClientBulkWriteError)) return error;
  const { cause, writeErrors, message } = error;
  if (refusesBulkWrite(cause)) withoutBulkWrite.add(connection);
  else if (writeErrors.size === 0) return cause ?? error;
  return new WriteConflict(message);
}

/** Whether a server does not know the command itself. */
export function refusesBulkWrite(error: unknown): boolean {
  if (!(error instanceof mongo.MongoServerError)) return false;
  // DocumentDB's gateway reads commands of one list only: "Expected at most two sections".
  const isUnsupported = error.code === BAD_VALUE && /bulkWrite|most two sections/i.test(error.message);
  return isUnsupported || WITHOUT_BULK_WRITE.has(error.code);
}

function modelOf(
  connection: Connection,
  collection: string,
  operation: object,
): mongo.AnyClientBulkWriteModel<Values> {
  const [[name, what] = []] = Object.entries(operation);
  return {
    namespace: `${connection.name}.${collection}`,
    name,
    ...what,
  } as mongo.AnyClientBulkWriteModel<Values>;
}

/**
 * Makes writes of several units of work, those of one collection in one call. Updates go before inserts: the driver
 * sends a command for each run of writes of one kind. Which of them met another writer is not told apart.
 */
export async function carryOutTogether(
  connection: Connection,
  all: readonly SimpleWrite[],
  session: ClientSession,
): Promise<void> {
  const byCollection = new Map<string, mongo.AnyBulkWriteOperation[]>();
  const updatesFirst = [...all].sort((one, other) => Number(isInsert(one)) - Number(isInsert(other)));
  for (const one of updatesFirst) {
    const name = collectionOf(one);
    byCollection.set(name, [...(byCollection.get(name) ?? []), operationOf(one)]);
  }
  for (const [name, operations] of byCollection) {
    const { insertedCount, matchedCount } = await connection
      .collection(name)
      .bulkWrite(operations, { session });
    if (insertedCount + matchedCount !== operations.length) throw new WriteConflict(name);
  }
}

function collectionOf(one: SimpleWrite): string {
  return one.kind === 'row' ? one.row.collection : one.store.model.collection.name;
}

function operationOf(one: SimpleWrite): mongo.AnyBulkWriteOperation {
  if (one.kind === 'row') return one.row.operation;
  return one.kind === 'insert'
    ? { insertOne: { document: one.values } }
    : { updateOne: { filter: one.filter, update: { $set: one.values } } };
}

export async function insertEvents(
  connection: Connection,
  events: readonly OutboxRow[],
  session: ClientSession,
): Promise<void> {
  if (events.length > 0) await connection.collection(OUTBOX_COLLECTION).insertMany([...events], { session });
}

function conflict(type: RecordType): Fault {
  const { noun } = optionsOf(type);
  return fault(
    'record.conflict',
    `The ${noun.replaceAll('_', ' ')} was changed by another request; try again`,
  );
}

/** Turns the violation of a unique index into the fault that its record declares. */
function takenValue(type: RecordType, error: unknown): unknown {
  if (!isDuplicate(error)) return error;
  const { noun, indexes = [] } = optionsOf(type);
  const broken = indexes.find((index) => isDuplicateOf(error, namedIndex(index)));
  if (broken?.taken !== undefined) {
    const { code, path, message } = broken.taken;
    return fault(code, message, { errors: [{ path, code, message }] });
  }
  const index = broken === undefined ? '_id' : namedIndex(broken).fields.join();
  return fault('record.exists', `This ${noun.replaceAll('_', ' ')} exists already`, { index });
}
