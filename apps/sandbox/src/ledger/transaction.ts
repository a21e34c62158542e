import type { Answer, EventDraft } from './entry.js';
import { newId, type Prefix } from './ids.js';
import type { Ledger } from './ledger.js';
import type { AnyRecord, Kind, RecordOf } from './records.js';

export interface Origin {
  readonly account: string;
  /** Id and Idempotency-Key of the request behind it; null for what happens by itself. */
  readonly request: string | null;
  readonly key: string | null;
  /** Milliseconds. */
  readonly now: number;
}

const PREFIX: Readonly<Record<Kind, Prefix>> = {
  customer: 'cus',
  payment_method: 'pm',
  setup_intent: 'seti',
  payment_intent: 'pi',
  charge: 'ch',
  refund: 're',
  dispute: 'du',
  behaviour: 'task',
  fault_mark: 'task',
  task: 'task',
};

type Fields<K extends Kind> = Omit<RecordOf[K], 'id' | 'account' | 'seq' | 'created'> & {
  readonly kind: K;
  readonly id?: string;
};

/** What one request does: it reads its own writes, and all of it becomes visible at once or not at all. */
export class Transaction {
  private readonly put = new Array<AnyRecord>();
  private readonly events = new Array<EventDraft>();
  private notices: Pick<EventDraft, 'copies' | 'silent'> = {};

  constructor(
    readonly ledger: Ledger,
    readonly origin: Origin,
  ) {}

  /** A record of the same account; those of others do not exist. */
  get<K extends Kind>(kind: K, id: string): RecordOf[K] | undefined {
    for (let at = this.put.length - 1; at >= 0; at--) {
      const record = this.put[at];
      if (record?.id === id) return record.kind === kind ? (record as RecordOf[K]) : undefined;
    }
    const record = this.ledger.get(kind, id);
    return record?.account === this.origin.account ? record : undefined;
  }

  /** Makes a record of this account, with a fresh id unless it brings one. */
  create<K extends Kind>(fields: Fields<K>): RecordOf[K] {
    const { account, now } = this.origin;
    const record = {
      ...fields,
      id: fields.id ?? newId(PREFIX[fields.kind]),
      account,
      seq: this.ledger.nextSeq(),
      created: Math.floor(now / 1000),
    };
    return this.save(record as unknown as RecordOf[K]);
  }

  save<R extends AnyRecord>(record: R): R {
    this.put.push(record);
    return record;
  }

  /** Tells of the record as it is now; it must have been created or saved in this transaction. */
  tell(type: string, record: AnyRecord, delay?: number): void {
    const shows = this.put.lastIndexOf(record);
    if (shows === -1) throw new Error(`${type} shows a record that was not saved`);
    const notices = this.ledger.announces(type) ? this.notices : { silent: true };
    this.events.push({ id: newId('evt'), type, shows, delay, ...notices });
  }

  /** How the notices of the events told from now on go wrong. */
  disturbNotices(notices: Pick<EventDraft, 'copies' | 'silent'>): void {
    this.notices = notices;
  }

  /** Throws, with nothing done, when the journal cannot be written. */
  commit(answer?: Answer): void {
    if (this.put.length === 0 && answer === undefined) return;
    const { account, request, key, now } = this.origin;
    this.ledger.commit({ at: now, account, request, key, put: this.put, events: this.events, answer });
  }
}
