import { addFields, diff, joinFields, type EventKind, type PlainObject } from '@commerce/kernel';
import type { Connection } from 'mongoose';

import { openReservation } from './reservation.js';
import {
  render,
  renderObject,
  optionsOf,
  sealed,
  type OwnedRecord,
  type RecordType,
} from '@commerce/records';
import type { Id } from '@commerce/records';
import { OutboxSignal, outboxRow, type OutboxRow } from './outbox.js';
import {
  WriteConflict,
  carryOut,
  carryOutAtOnce,
  groupWrites,
  insertEvents,
  isInsert,
  simpleWrites,
  takesBulkWrites,
  type PendingWrite,
  type SimpleWrite,
  type Write,
} from './pending-writes.js';
import type { RowWrite } from './row-write.js';
import type { RecordStore } from '../stores/store.js';
import { AUDIT_COLLECTION, type AuditAction, type AuditLog } from './audit-log.js';
import { inTransaction } from '../server/transaction.js';
import type { UsageChanges } from './usage-changes.js';

/** Fields that change with every write, which is no news. */
const SILENT = new Set(['updated', 'modified']);

/** Records as the unit of work that wrote them has rendered them: what changes next is mostly one of those. */
const remembered = new WeakMap<OwnedRecord, PlainObject>();

function renderedOf(record: OwnedRecord): PlainObject {
  return remembered.get(record) ?? renderObject(record);
}

/** Adds fields to the record that an event shows, such as secrets that only this event may carry. */
export type Shown = (object: PlainObject) => PlainObject;

/** What is kept of each unit of work beside its records. */
export interface Accounts {
  readonly audit: AuditLog | null;
  readonly usage: UsageChanges;
}

/** The writes of a unit of work that is committed together with others. */
export interface Commit {
  readonly company: Id;
  readonly writes: readonly SimpleWrite[];
  readonly events: readonly OutboxRow[];
}

/**
 * Collects writes and their events, and commits them together or not at all. Services read first, decide, then fill a
 * unit of work and commit it once.
 */
export class UnitOfWork {
  private readonly writes: PendingWrite[] = [];
  private readonly events: OutboxRow[] = [];
  /** The pending values of each record, so that a second change joins the first. */
  private readonly pending = new Map<string, { values: Record<string, unknown>; version: number }>();
  /** The records that are written, as they will be, in the order in which they come first. */
  private readonly written = new Map<string, { readonly collection: string; readonly record: OwnedRecord }>();

  constructor(
    private readonly connection: Connection,
    private readonly signal: OutboxSignal,
    readonly company: Id,
    readonly now: Date,
    private readonly accounts: Accounts,
  ) {}

  /** Adds a new record and, where `kind` names one, its event. */
  insert<R extends OwnedRecord>(store: RecordStore<R>, record: R, kind?: EventKind, show?: Shown): R {
    this.own(record);
    this.wrote(store.type, record);
    if (kind !== undefined) {
      remembered.set(record, renderObject(record));
      this.event(store.type, record, kind, {}, show);
    }
    const values = sealed(store.type, record._id, record);
    const counted = this.accounts.usage.inserted(store.type, record, values);
    if (counted !== undefined) values['sys'] = record.sys = { ...record.sys, counted };
    this.accounts.audit?.created(store.type, record);
    this.pending.set(key(record), { values, version: record.sys.version });
    this.writes.push({ kind: 'insert', store, values });
    return record;
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
    const type = store.type;
    const { touched } = optionsOf(type);
    this.accounts.audit?.changed(type, before, changes);
    const after = addFields(Object.create(type.prototype as object) as R, before, changes);
    const rendered = renderObject(after);
    const seen = diff(renderedOf(before), rendered, SILENT);
    const visible = Object.keys(seen.current).length > 0;
    if (visible) {
      (after as Record<string, unknown>)[touched] = this.now;
      rendered[touched] = render(this.now);
    }
    const counted = this.accounts.usage.changed(type, before, after);
    const { events } = before.sys;
    after.sys = { version: before.sys.version + 1, events, ...(counted === undefined ? {} : { counted }) };
    remembered.set(after, rendered);
    this.wrote(type, after);
    if (kind !== undefined && (visible || !kind.endsWith('.updated'))) {
      this.event(type, after, kind, seen.previous, show);
    }
    const written = joinFields(changes, { sys: after.sys }, visible ? { [touched]: this.now } : {});
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
    const read = { company: this.company, 'sys.version': before.sys.version };
    const filter = store.engine.withId(before._id, read);
    this.pending.set(key(before), { values, version: before.sys.version + 1 });
    this.writes.push({ kind: 'update', store, filter, values });
  }

  /** Puts on record what an admin or operator did in the name of a record without changing it. */
  note(action: AuditAction, kind: string, record: Id): void {
    this.accounts.audit?.add(action, kind, record, []);
  }

  /** Notes the bytes that the same commit stores beside a record, which count in the quota of its user. */
  stores(record: Id, bytes: () => number): void {
    this.accounts.usage.stores(record, bytes);
  }

  /** Adds a row that belongs to no record to the same commit; only stores do. */
  row(row: RowWrite): void {
    this.writes.push({ kind: 'row', row });
  }

  /** Adds what takes more than one write, or depends on what is found, to the same commit; only stores do. */
  also(write: Write): void {
    this.writes.push({ kind: 'other', write });
  }

  /** Writes everything in one transaction; a single write without events needs none. */
  async commit(): Promise<void> {
    const { writes, events } = this;
    const reservation = writes.length === 0 ? null : openReservation();
    const [about, beside] = this.writtenTo(reservation?.collection ?? null);
    // First of all: what is another request's fails before it meets anything that the other has written.
    if (reservation !== null) writes.unshift({ kind: 'row', row: await reservation.noteOf(about, beside) });
    const audit = this.accounts.audit?.all() ?? [];
    this.accounts.usage.logged([...events, ...audit]);
    writes.push(...(await this.accounts.usage.writes()), ...this.auditWrites());
    const [first] = writes;
    if (first === undefined && events.length === 0) return;
    if (first !== undefined && events.length === 0 && writes.length === 1)
      return carryOut(this.connection, first, undefined);
    const simple = takesBulkWrites(this.connection) ? simpleWrites(writes) : null;
    if (simple === null || !(await this.committedAtOnce(simple))) await this.commitOneByOne();
    if (reservation !== null && about.length > 0) reservation.noted = true;
    if (events.length > 0) this.signal.notify(this.company);
  }

  private wrote(type: RecordType, record: OwnedRecord): void {
    this.written.set(key(record), { collection: optionsOf(type).collection, record });
  }

  /** The written records of this collection, and all others. */
  private writtenTo(name: string | null): readonly [OwnedRecord[], OwnedRecord[]] {
    const about: OwnedRecord[] = [];
    const beside: OwnedRecord[] = [];
    for (const { collection, record } of this.written.values()) {
      (collection === name ? about : beside).push(record);
    }
    return [about, beside];
  }

  /** False where one of the writes cannot be made; nothing is written then. */
  private async committedAtOnce(writes: readonly SimpleWrite[]): Promise<boolean> {
    try {
      await inTransaction(this.connection, (session) =>
        carryOutAtOnce(this.connection, writes, this.events, session),
      );
      return true;
    } catch (error) {
      if (error instanceof WriteConflict) return false;
      throw error;
    }
  }

  private async commitOneByOne(): Promise<void> {
    await inTransaction(this.connection, async (session) => {
      for (const write of this.writes) await carryOut(this.connection, write, session);
      await insertEvents(this.connection, this.events, session);
    });
  }

  /**
   * Its writes, when they can be committed together with other units of work; null when it needs no transaction,
   * or more belongs to its commit than records, new rows and events.
   */
  forGroup(): Commit | null {
    const { company, events } = this;
    const writes = groupWrites([...this.writes, ...this.auditWrites()]);
    if (writes === null || openReservation() !== null || !this.accounts.usage.isEmpty) return null;
    return writes.length + events.length < 2 ? null : { company, writes, events };
  }

  /** Whether it only adds documents. */
  get isCreation(): boolean {
    return this.writes.every(isInsert);
  }

  private auditWrites(): PendingWrite[] {
    const documents = this.accounts.audit?.all() ?? [];
    return documents.map((document) => ({
      kind: 'row',
      row: { collection: AUDIT_COLLECTION, operation: { insertOne: { document } } },
    }));
  }

  private event<R extends OwnedRecord>(
    type: RecordType<R>,
    record: R,
    kind: EventKind,
    previous: PlainObject,
    show: Shown | undefined,
  ): void {
    const { noun } = optionsOf(type);
    const sequence = record.sys.events + 1;
    record.sys = { ...record.sys, events: sequence };
    const rendered = renderedOf(record);
    this.events.push(
      outboxRow({
        company: this.company,
        kind,
        object_type: noun,
        object_id: record._id,
        object: show === undefined ? rendered : show(rendered),
        // Fields that only receivers see are secrets.
        secret: show !== undefined,
        previous_data: previous,
        created: this.now,
        sequence,
      }),
    );
  }

  private own(record: OwnedRecord): void {
    if (!record.company.equals(this.company))
      throw new Error('a unit of work may only write records of its company');
  }
}

function key(record: OwnedRecord): string {
  return record._id.toHexString();
}
