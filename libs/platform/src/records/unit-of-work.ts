import { Fault, diff, fault, type EventKind, type PlainObject } from '@commerce/kernel';
import type { ClientSession, Connection } from 'mongoose';

import { openClaim } from './claim.js';
import { EVENT, renderObject } from './fields/dialects.js';
import type { Id } from './fields/id.js';
import { OUTBOX_COLLECTION, OutboxSignal, outboxRow, type OutboxRow } from './outbox.js';
import { optionsOf, sealed, type OwnedRecord, type RecordType } from './record.js';
import type { RecordStore } from './store.js';
import { AUDIT_COLLECTION, type AuditAction, type Trail } from './trail.js';
import { inTransaction } from './transaction.js';

/** Fields that change with every write, which is no news. */
const SILENT = new Set(['updated', 'modified']);

type Write = (session: ClientSession | undefined) => Promise<void>;

/** What an event shows beside the record as it is, such as secrets that only this event may carry. */
export type Shown = (object: PlainObject) => PlainObject;

/**
 * Collects writes and their events, and commits them together or not at all. Services read first, decide, then fill a
 * unit of work and commit it once.
 */
export class UnitOfWork {
  private readonly writes: Write[] = [];
  private readonly events: OutboxRow[] = [];
  /** What is about to be written of each record, so that a second change joins the first. */
  private readonly pending = new Map<string, { values: Record<string, unknown>; version: number }>();
  /** What is written, by collection, for the claim of a request. */
  private readonly touched: { readonly collection: string; readonly id: Id }[] = [];

  constructor(
    private readonly connection: Connection,
    private readonly signal: OutboxSignal,
    readonly company: Id,
    readonly now: Date,
    private readonly trail: Trail | null,
  ) {}

  /** Adds a new record and, where `kind` names one, its event. */
  insert<R extends OwnedRecord>(store: RecordStore<R>, record: R, kind?: EventKind, show?: Shown): R {
    this.own(record);
    this.touched.push({ collection: optionsOf(store.type).collection, id: record._id });
    const written = kind === undefined ? record : this.event(store.type, record, kind, {}, show);
    const values = sealed(store.type, written._id, written);
    this.trail?.created(store.type, written);
    this.pending.set(key(record), { values, version: written.sys.version });
    this.writes.push(async (session) => {
      try {
        await store.model.collection.insertOne(values, { session });
      } catch (error) {
        throw taken(store.type, error);
      }
    });
    return written;
  }

  /**
   * Changes a record that was read before. Returns it as it will be. No `*.updated` event is sent when no visible
   * field differs. The commit fails with `record.conflict` when another writer changed the record in between.
   */
  update<R extends OwnedRecord>(
    store: RecordStore<R>,
    before: R,
    changes: Partial<R>,
    kind?: EventKind,
    show?: Shown,
  ): R {
    this.own(before);
    const { touched, collection } = optionsOf(store.type);
    this.touched.push({ collection, id: before._id });
    const type = store.type;
    this.trail?.changed(type, before, changes);
    let after = Object.assign(Object.create(type.prototype as object) as R, before, changes);
    const seen = diff(renderObject(before, EVENT), renderObject(after, EVENT), SILENT);
    const visible = Object.keys(seen.current).length > 0;
    if (visible) (after as Record<string, unknown>)[touched] = this.now;
    after.sys = { version: before.sys.version + 1, events: before.sys.events };
    if (kind !== undefined && (visible || !kind.endsWith('.updated'))) {
      after = this.event(type, after, kind, seen.previous, show);
    }
    const written = { ...changes, sys: after.sys, ...(visible ? { [touched]: this.now } : {}) };
    const values = sealed(type, before._id, written);
    if (!this.merged(before, values, after.sys.version)) this.set(store, before, values);
    return after;
  }

  /** Joins a change with the pending write of the same record: a commit writes each record once. */
  private merged(before: OwnedRecord, values: Record<string, unknown>, version: number): boolean {
    const waiting = this.pending.get(key(before));
    if (waiting === undefined) return false;
    if (waiting.version !== before.sys.version) {
      throw new Error('a unit of work must go on from the record that its last update returned');
    }
    Object.assign(waiting.values, values);
    waiting.version = version;
    return true;
  }

  private set<R extends OwnedRecord>(
    store: RecordStore<R>,
    before: R,
    values: Record<string, unknown>,
  ): void {
    const filter = { _id: before._id, company: this.company, 'sys.version': before.sys.version };
    this.pending.set(key(before), { values, version: before.sys.version + 1 });
    this.writes.push(async (session) => {
      try {
        const { matchedCount } = await store.model.collection.updateOne(
          filter,
          { $set: values },
          { session },
        );
        if (matchedCount === 0) throw conflict(store.type);
      } catch (error) {
        throw taken(store.type, error);
      }
    });
  }

  /** Puts on record what an admin or operator did in the name of a record without changing it. */
  note(action: AuditAction, kind: string, record: Id): void {
    this.trail?.add(action, kind, record, []);
  }

  /** Adds another kind of write to the same commit; only stores do. */
  also(write: Write): void {
    this.writes.push(write);
  }

  /** Writes everything in one transaction; a single write without events needs none. */
  async commit(): Promise<void> {
    const { writes, events } = this;
    const claim = writes.length === 0 ? null : openClaim();
    const about = this.touched.filter(({ collection }) => collection === claim?.collection);
    const ids = [...new Map(about.map(({ id }) => [id.toHexString(), id])).values()];
    if (claim !== null) writes.push((session) => claim.note(ids, session));
    if (this.trail !== null && !this.trail.isEmpty) {
      const rows = this.trail.all();
      writes.push(async (session) => {
        await this.connection.collection(AUDIT_COLLECTION).insertMany(rows, { session });
      });
    }
    if (events.length === 0 && writes.length === 1) {
      await writes[0]?.(undefined);
      return;
    }
    if (writes.length === 0 && events.length === 0) return;
    await inTransaction(this.connection, async (session) => {
      for (const write of writes) await write(session);
      if (events.length > 0) {
        await this.connection.collection(OUTBOX_COLLECTION).insertMany([...events], { session });
      }
    });
    if (claim !== null && ids.length > 0) claim.noted = true;
    if (events.length > 0) this.signal.raise(this.company);
  }

  private event<R extends OwnedRecord>(
    type: RecordType<R>,
    record: R,
    kind: EventKind,
    previous: PlainObject,
    show: Shown | undefined,
  ): R {
    const { noun } = optionsOf(type);
    const sequence = record.sys.events + 1;
    record.sys = { ...record.sys, events: sequence };
    const rendered = renderObject(record, EVENT);
    this.events.push(
      outboxRow({
        company: this.company,
        kind,
        object_type: noun,
        object_id: record._id,
        object: show === undefined ? rendered : show(rendered),
        // What is shown to receivers alone is a secret.
        secret: show !== undefined,
        previous_data: previous,
        created: this.now,
        sequence,
      }),
    );
    return record;
  }

  private own(record: OwnedRecord): void {
    if (!record.company.equals(this.company))
      throw new Error('a unit of work may only write records of its company');
  }
}

function key(record: OwnedRecord): string {
  return record._id.toHexString();
}

function conflict(type: RecordType): Fault {
  const { noun } = optionsOf(type);
  return fault(
    'record.conflict',
    `The ${noun.replaceAll('_', ' ')} was changed by another request; try again`,
  );
}

/** Turns the violation of a unique index into the fault that its record declares. */
function taken<R extends OwnedRecord>(type: RecordType<R>, error: unknown): unknown {
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
