import { randomUUID } from 'node:crypto';
import type { Change } from './journal.js';
import type { Answer, Event, Ledger, OwedNotice } from './ledger.js';
import type { AnyRecord, Kind, RecordOf } from './records.js';

export interface Origin {
  readonly account: string;
  /** Id and Idempotency-Key of the request; null for a task. */
  readonly request: string | null;
  readonly key: string | null;
  /** Milliseconds. */
  readonly now: number;
}

const PREFIXES: Readonly<Partial<Record<Kind, string>>> = {
  customer: 'cus',
  payment_method: 'pm',
  setup_intent: 'seti',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  dispute: 'du',
};

/** `length` random hexadecimal digits, 32 at most. */
export const randomText = (length: number): string => randomUUID().replaceAll('-', '').slice(0, length);

type Fields<K extends Kind> = Omit<RecordOf[K], 'id' | 'account' | 'created'> & {
  readonly kind: K;
  readonly id?: string;
};

/** The changes of one request: it reads its own writes, and all of them become visible together or none does. */
export class Transaction {
  private readonly put: AnyRecord[] = [];
  private readonly removed: string[] = [];
  private readonly events: Event[] = [];
  private readonly owed: OwedNotice[] = [];
  private copies = 1;

  constructor(
    readonly ledger: Ledger,
    readonly origin: Origin,
  ) {}

  /** A record of the same account; those of others do not exist. */
  get<K extends Kind>(kind: K, id: string): RecordOf[K] | undefined {
    const own = this.put.findLast((each) => each.id === id) ?? this.ledger.records.get(id);
    return own?.kind === kind && own.account === this.origin.account ? (own as RecordOf[K]) : undefined;
  }

  /** Makes a record of this account, with a fresh id unless it brings one. */
  create<K extends Kind>(fields: Fields<K>): RecordOf[K] {
    const { account, now } = this.origin;
    const id = fields.id ?? `${PREFIXES[fields.kind] ?? 'own'}_${randomText(24)}`;
    return this.save({ ...fields, id, account, created: Math.floor(now / 1000) } as unknown as RecordOf[K]);
  }

  save<R extends AnyRecord>(record: R): R {
    this.put.push(record);
    return record;
  }

  remove(record: AnyRecord): void {
    this.removed.push(record.id);
  }

  /** Adds an event that shows the current record; its notice may be late. */
  tell(type: string, record: AnyRecord, delay = 0): void {
    const { account, request, key, now } = this.origin;
    const id = `evt_${randomText(24)}`;
    this.events.push({ id, type, account, created: Math.floor(now / 1000), record, request, key });
    if (this.copies > 0 && this.ledger.announces(type)) {
      this.owed.push({ event: id, copies: this.copies, delay });
    }
  }

  /** How often each notice of the following events is sent. */
  repeatNotices(copies: number): void {
    this.copies = copies;
  }

  /** Throws, with nothing done, when the journal cannot be written. */
  commit(answer?: Answer): void {
    const { account, key, now } = this.origin;
    const changes: Change[] = [
      ...this.put.map((record): Change => ['records', record.id, record]),
      ...this.removed.map((id): Change => ['records', id, null]),
      ...this.events.map((event): Change => ['events', event.id, event]),
      ...this.owed.map((notice): Change => ['owed', notice.event, notice]),
    ];
    if (answer !== undefined) changes.push(['answers', `${account} ${key ?? ''}`, { ...answer, at: now }]);
    if (changes.length > 0) this.ledger.commit(changes);
  }
}
