import { Scoped } from '@commerce/platform';
import {
  newId,
  parseId,
  type Id,
  fieldsOf,
  dehydrate,
  optionsOf,
  type OwnedRecord,
  type RecordState,
  type RecordType,
} from '@commerce/records';

export const AUDIT_COLLECTION = 'audit_entries';

/** The actions of the audit log; `performed` concerns all of a company instead of one record. */
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

/** The route or the command that runs. */
export interface ActorRequest {
  readonly request: string;
  readonly request_id: string | null;
  /** The id that the caller gave the request. */
  readonly caller_request_id: string | null;
}

/** An admin or a user of one company. */
export interface CompanyActor {
  readonly kind: 'admin' | 'user';
  /** The id of the service key, or of the user. */
  readonly credential: string;
  /** The only company that the request concerns. */
  readonly company: Id;
}

/** The operator at the command line. */
interface Operator {
  readonly kind: 'cli';
  /** The operator's account on its machine. */
  readonly credential: string;
  readonly company: null;
}

/** The author of the changes that a request or a command makes. */
export type Actor = (CompanyActor | Operator) & ActorRequest;

/** One line of the audit log, committed together with the change that it tells of. */
export interface AuditRow {
  readonly _id: Id;
  readonly _cls: 'AuditEntry';
  readonly company: Id;
  readonly actor: Actor['kind'];
  readonly credential: string;
  readonly request: string;
  readonly request_id: string | null;
  readonly caller_request_id: string | null;
  readonly action: AuditAction;
  readonly kind: string;
  readonly record: Id;
  /** Names only: values may be secret. */
  readonly fields: string[];
  readonly created: Date;
  readonly sys: RecordState;
}

/** The running request; its route and its caller become known on the way. */
interface Running {
  request: ActorRequest | null;
  actor: Actor | null;
}

const actors = new Scoped<Running>();

/** Runs a request whose caller is not known yet. */
export function withActorUnknown<T>(work: () => T): T {
  return actors.run({ request: null, actor: null }, work);
}

/** Names the route of the running request. */
export function nameRequest(request: ActorRequest): void {
  runningRequest().request = request;
}

/** Names the caller of the running request: its later changes are on record. */
export function nameActor(actor: CompanyActor): void {
  const running = runningRequest();
  if (running.request === null) throw new Error('a caller is named before its request');
  running.actor = { ...actor, ...running.request };
}

function runningRequest(): Running {
  const running = actors.get();
  if (running === undefined) throw new Error('nobody can be named outside a request');
  return running;
}

/** Runs a command of the operator; all that it changes is on record. */
export function withActor<T>(actor: Actor, work: () => T): T {
  return actors.run({ request: null, actor }, work);
}

/** The part of the audit log that one unit of work adds: one line for each record. */
export class AuditLog {
  private readonly rows = new Map<string, AuditRow>();

  constructor(
    private readonly actor: Actor,
    private readonly company: Id,
    private readonly now: Date,
  ) {}

  all(): AuditRow[] {
    return [...this.rows.values()];
  }

  created<R extends OwnedRecord>(type: RecordType<R>, record: R): void {
    if (this.covers(type)) this.add('created', optionsOf(type).noun, record._id, []);
  }

  changed<R extends OwnedRecord>(type: RecordType<R>, before: R, changes: Partial<R>): void {
    if (!this.covers(type)) return;
    const fields = changedFields(type, before, changes);
    if (fields.length === 0) return;
    const { noun, deleted } = optionsOf(type);
    const gone = deleted !== undefined && (changes as Record<string, unknown>)[deleted] === true;
    this.add(gone && fields.includes(deleted) ? 'deleted' : 'updated', noun, before._id, fields);
  }

  /** The changes of a user are in the event log already, except for records that send no events. */
  private covers(type: RecordType): boolean {
    return this.actor.kind !== 'user' || optionsOf(type).auditsUsers === true;
  }

  add(action: AuditAction, kind: string, record: Id, fields: string[]): void {
    const key = record.toHexString();
    const before = this.rows.get(key);
    const { kind: actor, credential, request, request_id, caller_request_id } = this.actor;
    this.rows.set(key, {
      _id: before?._id ?? newId(),
      _cls: 'AuditEntry',
      company: this.company,
      actor,
      credential,
      request,
      request_id,
      caller_request_id,
      action: before?.action === 'created' ? 'created' : action,
      kind,
      record,
      fields: before?.action === 'created' ? [] : [...new Set([...(before?.fields ?? []), ...fields])],
      created: this.now,
      sys: { version: 1, events: 0 },
    });
  }
}

/** The audit log of what the running request or command changes; null where the service itself makes the change. */
export function openAuditLog(company: Id, now: Date): AuditLog | null {
  const actor = actors.get()?.actor ?? null;
  if (actor === null) return null;
  // An admin's request may have the service write something of its own, such as a key that signs tokens.
  if (actor.company !== null && !actor.company.equals(company)) return null;
  return new AuditLog(actor, company, now);
}

/** The user of this company who makes the running request; null where it is another's, or no request runs. */
export function actingUser(company: Id): Id | null {
  const actor = actors.get()?.actor ?? null;
  return actor?.kind === 'user' && actor.company.equals(company) ? parseId(actor.credential) : null;
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
