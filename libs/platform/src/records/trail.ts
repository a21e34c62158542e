import { AsyncLocalStorage } from 'node:async_hooks';

import { newId, type Id } from './fields/id.js';
import { fieldsOf } from './fields/fields.js';
import { dehydrate, optionsOf, type OwnedRecord, type RecordState, type RecordType } from './record.js';

export const AUDIT_COLLECTION = 'audit_entries';

/** What was done to a record, or in its name; `performed`: something that concerns all of a company. */
export const AUDIT_ACTIONS = [
  'created',
  'updated',
  'deleted',
  'token_issued',
  'replayed',
  'retried',
  'simulated',
  'performed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Whose changes are on record: an admin of one company, or the operator at the command line. */
export interface Actor {
  readonly kind: 'admin' | 'cli';
  /** The id of the service account key, or the operator's account on its machine; never a secret. */
  readonly credential: string;
  /** What was asked: the route or the command. */
  readonly request: string;
  readonly request_id: string | null;
  /** The only company that an admin's request is about. */
  readonly company: Id | null;
}

/** One line of the audit trail, committed together with the change that it tells of. */
export interface AuditRow {
  readonly _id: Id;
  readonly _cls: 'AuditEntry';
  readonly company: Id;
  readonly actor: Actor['kind'];
  readonly credential: string;
  readonly request: string;
  readonly request_id: string | null;
  readonly action: AuditAction;
  readonly kind: string;
  readonly record: Id;
  /** Names only: values may be secret. */
  readonly fields: string[];
  readonly created: Date;
  readonly sys: RecordState;
}

const actors = new AsyncLocalStorage<{ actor: Actor | null }>();

/** Runs a request, of whom it is not known yet who makes it. */
export function withActorUnknown<T>(work: () => T): T {
  return actors.run({ actor: null }, work);
}

/** Names the admin who makes the running request: what it changes from here on is on record. */
export function nameActor(actor: Actor): void {
  const running = actors.getStore();
  if (running === undefined) throw new Error('nobody can be named outside a request');
  running.actor = actor;
}

/** Runs a command of the operator; all that it changes is on record. */
export function withActor<T>(actor: Actor, work: () => T): T {
  return actors.run({ actor }, work);
}

/** The part of the audit trail that one unit of work adds: one line for each record. */
export class Trail {
  private readonly rows = new Map<string, AuditRow>();

  constructor(
    private readonly actor: Actor,
    private readonly company: Id,
    private readonly now: Date,
  ) {}

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  all(): AuditRow[] {
    return [...this.rows.values()];
  }

  created<R extends OwnedRecord>(type: RecordType<R>, record: R): void {
    this.add('created', optionsOf(type).noun, record._id, []);
  }

  changed<R extends OwnedRecord>(type: RecordType<R>, before: R, changes: Partial<R>): void {
    const fields = changedFields(type, before, changes);
    if (fields.length === 0) return;
    const { noun, deleted } = optionsOf(type);
    const gone = deleted !== undefined && (changes as Record<string, unknown>)[deleted] === true;
    this.add(gone && fields.includes(deleted) ? 'deleted' : 'updated', noun, before._id, fields);
  }

  add(action: AuditAction, kind: string, record: Id, fields: string[]): void {
    const key = record.toHexString();
    const before = this.rows.get(key);
    const { kind: actor, credential, request, request_id } = this.actor;
    this.rows.set(key, {
      _id: before?._id ?? newId(),
      _cls: 'AuditEntry',
      company: this.company,
      actor,
      credential,
      request,
      request_id,
      action: before?.action === 'created' ? 'created' : action,
      kind,
      record,
      fields: before?.action === 'created' ? [] : [...new Set([...(before?.fields ?? []), ...fields])],
      created: this.now,
      sys: { version: 1, events: 0 },
    });
  }
}

/** The trail of what the running request or command changes; null where that is a customer or the service itself. */
export function openTrail(company: Id, now: Date): Trail | null {
  const actor = actors.getStore()?.actor ?? null;
  if (actor === null) return null;
  // An admin's request may have the service write something of its own, such as a key that signs tokens.
  if (actor.company !== null && !actor.company.equals(company)) return null;
  return new Trail(actor, company, now);
}

/** The names of the fields that differ; what every write changes is no news. */
function changedFields<R extends OwnedRecord>(type: RecordType<R>, before: R, changes: Partial<R>): string[] {
  const { touched } = optionsOf(type);
  const names = fieldsOf(type).filter(({ name }) => name !== 'sys' && name !== touched);
  return names
    .map(({ name }) => name as keyof R & string)
    .filter((name) => name in changes && stored(before[name]) !== stored(changes[name]));
}

function stored(value: unknown): string {
  return JSON.stringify(dehydrate({ value: value ?? null }));
}
