import type { Answer, Entry, EventDraft, KeptEntry } from './entry.js';
import { asWritten, entryLine, parseLine } from './entry.js';
import type { Journal, Place } from './journal.js';
import { Order } from './order.js';
import type { AnyRecord, Kind, RecordOf } from './records.js';

/** How long an Idempotency-Key is remembered. */
export const KEY_LIFETIME_MS = 24 * 3_600_000;
/** Events are listed as long as they are among the newest this many; those still to be sent are always kept. */
const EVENTS_KEPT = 30_000;

/** An answer that is kept under a key; its body lies in the journal, so a day of keys costs little memory. */
export interface StoredAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly at: number;
  withhold: number;
  readonly place: Place;
}

export interface StoredEvent extends EventDraft {
  readonly account: string;
  readonly created: number;
  readonly place: Place;
}

/** An event with what it shows and the request that caused it. */
export interface ShownEvent extends StoredEvent {
  readonly record: AnyRecord;
  readonly request: string | null;
  readonly key: string | null;
}

/**
 * All state of the sandbox, in memory, rebuilt from the journal at the start. Records are never changed, only
 * replaced, so what a caller holds stays what it was.
 */
export class Ledger {
  private readonly records = new Map<string, AnyRecord>();
  private readonly order = new Order();
  private readonly answers = new Map<string, StoredAnswer>();
  private readonly events = new Map<string, StoredEvent>();
  private readonly unsent = new Set<string>();
  private lastSeq = 0;
  private listener: (entry: Entry) => void = () => undefined;
  private journal: Journal | undefined;

  /** Which events are announced; set before the first request. */
  announces: (type: string) => boolean = () => false;
  /** Offset behind the records that the last compaction wrote, 0 without one. */
  compactedTo = 0;

  attach(journal: Journal): void {
    this.journal = journal;
  }

  /** Called after every commit, for what goes on by itself: notices and tasks. */
  onCommit(listener: (entry: Entry) => void): void {
    this.listener = listener;
  }

  nextSeq(): number {
    return ++this.lastSeq;
  }

  get<K extends Kind>(kind: K, id: string): RecordOf[K] | undefined {
    const record = this.records.get(id);
    return record?.kind === kind ? (record as RecordOf[K]) : undefined;
  }

  all(): IterableIterator<AnyRecord> {
    return this.records.values();
  }

  list(kind: Kind, scope: string): readonly { readonly seq: number; readonly id: string }[] {
    return this.order.list(kind, scope);
  }

  /** Writes the entry, then makes it visible. Throws, with nothing done, when it cannot be written. */
  commit(entry: Entry): void {
    const place = this.file.append(entryLine(entry));
    this.apply(entry, place);
    this.forgetOldKeys(entry.at);
    this.listener(entry);
  }

  answerFor(account: string, key: string, now: number): StoredAnswer | undefined {
    const stored = this.answers.get(`${account} ${key}`);
    return stored !== undefined && stored.at + KEY_LIFETIME_MS > now ? stored : undefined;
  }

  bodyOf(answer: StoredAnswer): string {
    return asWritten(this.entryAt(answer.place)).answer?.body ?? '';
  }

  event(id: string): ShownEvent | undefined {
    const stored = this.events.get(id);
    return stored && this.show(stored);
  }

  /** Newest first. */
  *eventsOf(account: string): Generator<StoredEvent> {
    const newestFirst = [...this.events.values()].reverse();
    for (const event of newestFirst) if (event.account === account) yield event;
  }

  show(event: StoredEvent): ShownEvent {
    const entry = this.entryAt(event.place);
    const record = entry.put[event.shows];
    if (record === undefined) throw new Error(`The journal has nothing for event ${event.id}`);
    return { ...event, record, request: entry.request, key: entry.key };
  }

  /** Events whose notices are still owed. */
  unsentEvents(): readonly string[] {
    return [...this.unsent];
  }

  markSent(ids: readonly string[]): void {
    this.file.append(JSON.stringify({ sent: ids }));
    for (const id of ids) this.unsent.delete(id);
  }

  /** Takes one line of the journal at the start. */
  replay(text: string, place: Place): void {
    const line = parseLine(text);
    if ('base' in line) this.compactedTo = place.at + place.length + 1;
    else if ('sent' in line) for (const id of line.sent) this.unsent.delete(id);
    else this.apply(line, place);
  }

  /**
   * Offset of the first line that is still needed as it is: it holds the oldest answer that a key may ask for, or
   * the oldest event that is still listed. Of the lines before it only the records count.
   */
  neededFrom(now: number): number {
    let offset = this.file.size();
    for (const { at, place } of this.answers.values()) {
      if (at + KEY_LIFETIME_MS > now) offset = Math.min(offset, place.at);
    }
    for (const { place } of this.events.values()) offset = Math.min(offset, place.at);
    return offset;
  }

  /** A line for each record. */
  *recordLines(): Generator<string> {
    for (const record of this.records.values()) {
      const { account, created } = record;
      yield entryLine({ at: created * 1000, account, request: null, key: null, put: [record], events: [] });
    }
  }

  private get file(): Journal {
    if (this.journal === undefined) throw new Error('The ledger has no journal yet');
    return this.journal;
  }

  private entryAt(place: Place): KeptEntry {
    const line = parseLine(this.file.read(place));
    if ('put' in line) return line;
    throw new Error('The journal does not hold an entry there');
  }

  private apply(entry: Entry | KeptEntry, place: Place): void {
    for (const record of entry.put) {
      this.order.place(this.records.get(record.id), record);
      if (record.kind === 'task' && record.done) this.records.delete(record.id);
      else this.records.set(record.id, record);
      if (record.seq > this.lastSeq) this.lastSeq = record.seq;
    }
    for (const draft of entry.events) this.keepEvent(draft, entry, place);
    if (entry.answer !== undefined && entry.key !== null) {
      this.keepAnswer(`${entry.account} ${entry.key}`, entry.answer, entry.at, place);
    }
  }

  private keepEvent(draft: EventDraft, entry: Entry | KeptEntry, place: Place): void {
    const created = Math.floor(entry.at / 1000);
    this.events.set(draft.id, { ...draft, account: entry.account, created, place });
    if (draft.silent !== true) this.unsent.add(draft.id);
    if (this.events.size <= EVENTS_KEPT) return;
    for (const id of this.events.keys()) {
      if (this.unsent.has(id)) continue;
      this.events.delete(id);
      return;
    }
  }

  private keepAnswer(scoped: string, answer: Omit<Answer, 'body'>, at: number, place: Place): void {
    const { fingerprint, status, withhold } = answer;
    // Deleted first, so that the map stays in the order of age.
    this.answers.delete(scoped);
    this.answers.set(scoped, { fingerprint, status, withhold, at, place });
  }

  private forgetOldKeys(now: number): void {
    for (const [scoped, { at }] of this.answers) {
      if (at + KEY_LIFETIME_MS > now) return;
      this.answers.delete(scoped);
    }
  }
}
