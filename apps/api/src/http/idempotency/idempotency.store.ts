import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { fault } from '@commerce/kernel';
import {
  DatabaseClock,
  engineOf,
  isDuplicate,
  recordsAt,
  type ClaimSubject,
  type Engine,
  type RowWrite,
} from '@commerce/data';
import { CONFIG, Sealer, type Config } from '@commerce/platform';
import { type Id, type OwnedRecord } from '@commerce/records';
import type { Collection, Connection } from 'mongoose';

/** One use of an idempotency key. */
export interface IdempotencyRow {
  /** SHA-256 over company, credential, method, path and key. */
  readonly _id: string;
  /** SHA-256 of query and body: the same key with another of them is a mistake of the caller. */
  readonly fingerprint: string;
  readonly company: Id;
  readonly state: 'running' | 'done';
  /** While the request runs, and as long as it might still run after its process died. */
  readonly locked_until: Date;
  /** What the request wrote of that which it is about; set in the transaction of the write. */
  readonly subject: ClaimSubject | null;
  readonly status: number;
  /** The reply, sealed: it may show secrets. Empty for a reply without a body. */
  readonly body: string;
  readonly created: Date;
}

/** What a request says of its key. */
export type KeyUse = Pick<IdempotencyRow, '_id' | 'fingerprint' | 'company'>;

/** A reply to keep; its body as JSON, or empty. */
export interface KeptReply {
  readonly status: number;
  readonly body: string;
}

const COLLECTION = 'idempotency_keys';

const KEPT_SECONDS = 24 * 3600;

/** The idempotency keys in use, each for 24 hours. */
@Injectable()
export class IdempotencyStore implements OnModuleInit {
  private readonly rows: Collection<IdempotencyRow>;
  private readonly engine: Engine;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: DatabaseClock,
    private readonly sealer: Sealer,
    @Inject(CONFIG) private readonly config: Pick<Config, 'leaseMs'>,
  ) {
    this.rows = connection.collection<IdempotencyRow>(COLLECTION);
    this.engine = engineOf(connection);
  }

  async onModuleInit(): Promise<void> {
    await this.rows.createIndexes([
      { key: { created: 1 }, name: 'expiry', expireAfterSeconds: KEPT_SECONDS },
    ]);
  }

  /** Claims the key for this request and gives its lock; when the key is in use already, the row that has it. */
  async claim(use: KeyUse): Promise<Date | IdempotencyRow> {
    const locked_until = this.lockEnd();
    const created = this.clock.read();
    const state = 'running';
    const row = { ...use, state, locked_until, created, subject: null, status: 0, body: '' } as const;
    // Where the row that has it expired, or was let go, between the two calls, the next try will have it.
    return (await this.inserted(row)) ? locked_until : ((await this.find(use._id)) ?? this.claim(use));
  }

  /** The row that has a key. */
  async find(_id: string): Promise<IdempotencyRow | null> {
    return this.rows.findOne({ _id });
  }

  /** Claims the key together with the reply; when the key is in use already, gives the row that has it. */
  async keep(use: KeyUse, reply: KeptReply): Promise<IdempotencyRow | null> {
    return (await this.inserted(this.doneRow(use, reply))) ? null : this.find(use._id);
  }

  /**
   * What claims the key together with the reply, in the transaction that does what the reply says. The transaction
   * fails with `idempotency_key.in_flight` where another request has the key.
   */
  keptBy(use: KeyUse, reply: KeptReply): RowWrite {
    return {
      collection: COLLECTION,
      operation: { insertOne: { document: this.doneRow(use, reply) } },
      taken: () => fault('idempotency_key.in_flight', 'Another request has this Idempotency-Key'),
    };
  }

  /** Takes over from a request that died, and gives the new lock; null when another was quicker. */
  async takeOver(row: IdempotencyRow): Promise<Date | null> {
    const locked_until = this.lockEnd();
    const { modifiedCount } = await this.rows.updateOne(
      this.engine.withId(row._id, { state: 'running', locked_until: row.locked_until }),
      { $set: { locked_until } },
    );
    return modifiedCount === 1 ? locked_until : null;
  }

  /**
   * What notes, in the transaction that writes it, what was written; null for what the request is not about. A request
   * that ran for so long that another took over must not write any more: its transaction fails with
   * `idempotency_key.in_flight`.
   */
  noteOf(id: string, lock: Date, subject: ClaimSubject | null): RowWrite {
    return {
      collection: COLLECTION,
      operation: {
        updateOne: {
          filter: this.engine.withId(id, { locked_until: lock }),
          // A write even where there is nothing to note: of two transactions that write the row only one commits.
          update: { $inc: { commits: 1 }, ...(subject === null ? {} : { $set: { subject } }) },
        },
      },
      missing: () => fault('idempotency_key.in_flight', 'Another request took over this Idempotency-Key'),
    };
  }

  /** Keeps the reply; without effect when another request took over. */
  async finish(_id: string, lock: Date, { status, body }: KeptReply): Promise<void> {
    const done = { state: 'done', status, body: this.sealedBody(_id, body) } as const;
    await this.rows.updateOne(this.engine.withId(_id, { locked_until: lock }), { $set: done });
  }

  /** The reply that was kept. */
  replyOf({ _id, body }: IdempotencyRow): string {
    return body === '' ? '' : this.sealer.open(body, placeOf(_id));
  }

  /** Lets the key go: nothing was written, so a repaired request may use it. What was written is kept to be found. */
  async release(id: string, lock: Date): Promise<void> {
    await this.rows.deleteOne({ _id: id, locked_until: lock, subject: null });
    await this.rows.updateOne(
      { _id: id, locked_until: lock, state: 'running' },
      { $set: { locked_until: new Date(0) } },
    );
  }

  /** False where the key is in use already. */
  private async inserted(row: IdempotencyRow): Promise<boolean> {
    try {
      await this.rows.insertOne(row);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }

  private doneRow(use: KeyUse, { status, body }: KeptReply): IdempotencyRow {
    const created = this.clock.read();
    const sealed = this.sealedBody(use._id, body);
    return { ...use, state: 'done', locked_until: created, created, subject: null, status, body: sealed };
  }

  private sealedBody(id: string, body: string): string {
    return body === '' ? '' : this.sealer.seal(body, placeOf(id));
  }

  private lockEnd(): Date {
    return new Date(this.clock.read().getTime() + 2 * this.config.leaseMs);
  }

  /** The records that a request had written before it died, as they are now. */
  async written(company: Id, subject: ClaimSubject): Promise<OwnedRecord[]> {
    return recordsAt(this.connection, company, subject);
  }
}

function placeOf(id: string): [string, string, string] {
  return [COLLECTION, id, 'body'];
}
