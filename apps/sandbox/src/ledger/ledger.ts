import { join } from 'node:path';
import { type Change, type Journal, MEMORY, openJournal, TABLES } from './journal.js';
import { type AnyRecord, type Kind, type RecordOf, scopesOf } from './records.js';

/** How long an Idempotency-Key is remembered. */
const KEY_LIFETIME_MS = 24 * 3_600_000;
/** The newest so many answers and events are kept. */
const ANSWERS_KEPT = 50_000;
const EVENTS_KEPT = 30_000;

/** The answer to a request with an Idempotency-Key. */
export interface Answer {
  readonly fingerprint: string;
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** How many more sends are answered 500 before this answer is shown. */
  withhold: number;
}

/** An event and the request that caused it. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  readonly created: number;
  /** The record as it was then. */
  readonly record: AnyRecord;
  readonly request: string | null;
  readonly key: string | null;
}

/** A notice that has not arrived yet. */
export interface OwedNotice {
  readonly event: string;
  /** How often it is sent; more than once for a fault card. */
  readonly copies: number;
  /** Milliseconds by which it is late. */
  readonly delay: number;
}

/** All state of the sandbox. Records are never changed, only replaced. */
export class Ledger {
  readonly records = new Map<string, AnyRecord>();
  readonly answers = new Map<string, Answer & { readonly at: number }>();
  readonly events = new Map<string, Event>();
  readonly owed = new Map<string, OwedNotice>();
  private readonly scopes = new Map<string, Set<string>>();
  private journal: Journal = MEMORY;

  /** Called after each commit. */
  onCommit: (changes: readonly Change[]) => void = () => undefined;

  constructor(
    /** Address of this sandbox, for links to its pages. */
    readonly url: string,
    /** Whether events of a type are sent as notices. */
    readonly announces: (type: string) => boolean,
  ) {}

  /** Reads the journal in `directory`, which one process at a time may do, and writes to it from then on. */
  async open(directory: string, now: number): Promise<void> {
    this.journal = await openJournal(
      join(directory, 'journal.jsonl'),
      (change) => this.apply(change),
      () => this.needed(now),
    );
  }

  close(): void {
    this.journal.close();
  }

  get<K extends Kind>(kind: K, id: string): RecordOf[K] | undefined {
    const record = this.records.get(id);
    return record?.kind === kind ? (record as RecordOf[K]) : undefined;
  }

  /** The records of an account, or of the record that they belong to, oldest first. */
  list<K extends Kind>(kind: K, scope: string): RecordOf[K][] {
    const found: RecordOf[K][] = [];
    for (const id of this.scopes.get(`${kind} ${scope}`) ?? []) {
      const record = this.get(kind, id);
      if (record !== undefined && scopesOf(record).includes(scope)) found.push(record);
    }
    return found;
  }

  answerFor(scopedKey: string, now: number): Answer | undefined {
    const answer = this.answers.get(scopedKey);
    return answer !== undefined && answer.at + KEY_LIFETIME_MS > now ? answer : undefined;
  }

  /** Writes the changes, then makes them visible. Throws, with nothing done, when they cannot be written. */
  commit(changes: readonly Change[]): void {
    this.journal.append(changes);
    for (const change of changes) this.apply(change);
    this.onCommit(changes);
  }

  private apply([table, id, value]: Change): void {
    const rows: Map<string, unknown> = this[table];
    if (value === null) {
      rows.delete(id);
      return;
    }
    if (table === 'answers') rows.delete(id);
    rows.set(id, value);
    if (table === 'records') this.addToScopes(value as AnyRecord);
    if (this.events.size > EVENTS_KEPT) forgetOldest(this.events);
    if (this.answers.size > ANSWERS_KEPT) forgetOldest(this.answers);
  }

  private addToScopes(record: AnyRecord): void {
    for (const scope of scopesOf(record)) {
      const key = `${record.kind} ${scope}`;
      const ids = this.scopes.get(key) ?? new Set();
      this.scopes.set(key, ids.add(record.id));
    }
  }

  private *needed(now: number): Generator<Change> {
    for (const [id, { at }] of this.answers) if (at + KEY_LIFETIME_MS <= now) this.answers.delete(id);
    for (const table of TABLES) for (const [id, row] of this[table]) yield [table, id, row];
  }
}

function forgetOldest(rows: Map<string, unknown>): void {
  for (const id of rows.keys()) {
    rows.delete(id);
    return;
  }
}
