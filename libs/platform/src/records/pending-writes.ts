import { fault, type Fault } from '@commerce/kernel';
import type { ClientSession, Connection, mongo } from 'mongoose';

import type { Id } from './fields/id.js';
import { OUTBOX_COLLECTION, type OutboxRow } from './outbox.js';
import { optionsOf, type OwnedRecord, type RecordType } from './record.js';
import type { RecordStore } from './store.js';

export type Write = (session: ClientSession | undefined) => Promise<void>;

type Values = Record<string, unknown>;

/** One write that a unit of work is about to make. */
export type PendingWrite =
  | { readonly kind: 'insert'; readonly store: RecordStore<OwnedRecord>; readonly values: Values }
  | {
      readonly kind: 'update';
      readonly store: RecordStore<OwnedRecord>;
      /** Names the version that was read. */
      readonly filter: { readonly _id: Id; readonly company: Id; readonly 'sys.version': number };
      readonly values: Values;
    }
  | { readonly kind: 'other'; readonly write: Write };

/** The writes of records among these; null where there is any other. */
export function recordWrites(writes: readonly PendingWrite[]): RecordWrite[] | null {
  const found = writes.filter((one) => one.kind !== 'other');
  return found.length === writes.length ? found : null;
}

export type RecordWrite = Exclude<PendingWrite, { kind: 'other' }>;

/** Makes one write. @throws the fault of its record where another writer was faster, or a unique value is taken */
export async function carryOut(one: PendingWrite, session: ClientSession | undefined): Promise<void> {
  if (one.kind === 'other') return one.write(session);
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
    throw taken(store.type, error);
  }
}

/** A unit of work that was to be committed together with others met another writer. */
export class Outrun extends Error {
  override readonly name = 'Outrun';
}

/**
 * Makes writes of several units of work, those of one collection in one call. Which of them met another writer is not
 * told apart.
 */
export async function carryOutTogether(all: readonly RecordWrite[], session: ClientSession): Promise<void> {
  const byCollection = new Map<string, RecordWrite[]>();
  for (const one of all) {
    const key = `${one.kind} ${one.store.model.collection.name}`;
    const same = byCollection.get(key);
    if (same === undefined) byCollection.set(key, [one]);
    else same.push(one);
  }
  for (const writes of byCollection.values()) {
    const { collection } = (writes[0] as RecordWrite).store.model;
    const operations = writes.map(operationOf);
    const { insertedCount, matchedCount } = await collection.bulkWrite(operations, { session });
    if (insertedCount + matchedCount !== writes.length) throw new Outrun(collection.name);
  }
}

function operationOf(one: RecordWrite): mongo.AnyBulkWriteOperation {
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
function taken(type: RecordType, error: unknown): unknown {
  const breach = error as { code?: unknown; keyPattern?: Record<string, unknown>; message?: string };
  if (breach.code !== 11000) return error;
  const { noun, indexes = [] } = optionsOf(type);
  const keys = Object.keys(breach.keyPattern ?? {}).join();
  const broken = indexes.find((index) => Object.keys(index.fields).join() === keys)?.taken;
  if (broken) {
    const { code, path, message } = broken;
    return fault(code, message, { errors: [{ path, code, message }] });
  }
  return fault('record.exists', `This ${noun.replaceAll('_', ' ')} exists already`, { index: keys });
}
