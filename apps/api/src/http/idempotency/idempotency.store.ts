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
  /** SHA-256 of query and body; reusing the key with another query or body is the caller's mistake. */
  readonly fingerprint: string;
  readonly company: Id;
  readonly state: 'running' | 'done';
  /** Lasts while the request runs, and as long as it could still run after its process died. */
  readonly locked_until: Date;
  /** The records that the request created or changed; set in the transaction of the write. */
  readonly subject: ClaimSubject | null;
  readonly status: number;
  /** The reply, sealed because it may show secrets; empty for a reply without a body. */
  readonly body: string;
  readonly created: Date;
}

/** The key and fingerprint of a request. */
export type KeyUse = Pick<IdempotencyRow, '_id' | 'fingerprint' | 'company'>;

/** A reply to store; its body as JSON, or empty. */
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

  /** Reserves the key for this request and returns its lock, or the existing row when the key is in use. */
  async claim(use: KeyUse): Promise<Date | IdempotencyRow> {
    const locked_until = this.lockEnd();
    const created = this.clock.read();
    const state = 'running';
    const row = { ...use, state, locked_until, created, subject: null, status: 0, body: '' } as const;
    // If the row expired or was released between the two calls, the next try succeeds.
    return (await this.inserted(row)) ? locked_until : ((await this.find(use._id)) ?? this.claim(use));
  }

  /** Finds the row of a key. */
  async find(_id: string): Promise<IdempotencyRow | null> {
    return this.rows.findOne({ _id });
  }

  /** Reserves the key together with the reply. Returns the existing row when the key is in use. */
  async keep(use: KeyUse, reply: KeptReply): Promise<IdempotencyRow | null> {
    return (await this.inserted(this.doneRow(use, reply))) ? null : this.find(use._id);
  }

  /**
   * The write that reserves the key together with the reply, in the transaction of the work itself. The transaction
   * fails with `idempotency_key.in_flight` when another request holds the key.
   */
  keptBy(use: KeyUse, reply: KeptReply): RowWrite {
    return {
      collection: COLLECTION,
      operation: { insertOne: { document: this.doneRow(use, reply) } },
      taken: () => fault('idempotency_key.in_flight', 'Another request has this Idempotency-Key'),
    };
  }

  /** Continues the work of a request that died, and returns the new lock; null when another request was faster. */
  async takeOver(row: IdempotencyRow): Promise<Date | null> {
    const locked_until = this.lockEnd();
    const { modifiedCount } = await this.rows.updateOne(
      this.engine.withId(row._id, { state: 'running', locked_until: row.locked_until }),
      { $set: { locked_until } },
    );
    return modifiedCount === 1 ? locked_until : null;
  }

  /**
   * The write that notes, in the work's transaction, the written records; null for records outside the reply. A request
   * that ran too long and lost its lock must not write: its transaction fails with `idempotency_key.in_flight`.
   */
  noteOf(id: string, lock: Date, subject: ClaimSubject | null): RowWrite {
    return {
      collection: COLLECTION,
      operation: {
        updateOne: {
          filter: this.engine.withId(id, { locked_until: lock }),
          // Writes even without a note: of two transactions that write the row, only one commits.
          update: { $inc: { commits: 1 }, ...(subject === null ? {} : { $set: { subject } }) },
        },
      },
      missing: () => fault('idempotency_key.in_flight', 'Another request took over this Idempotency-Key'),
    };
  }

  /** Stores the reply; without effect after another request took the lock. */
  async finish(_id: string, lock: Date, { status, body }: KeptReply): Promise<void> {
    const done = { state: 'done', status, body: this.sealedBody(_id, body) } as const;
    await this.rows.updateOne(this.engine.withId(_id, { locked_until: lock }), { $set: done });
  }

  replyOf({ _id, body }: IdempotencyRow): string {
    return body === '' ? '' : this.sealer.open(body, placeOf(_id));
  }

  /**
   * Releases the key when nothing was written, so that a repaired request may use it. A row with written records stays.
   */
  async release(id: string, lock: Date): Promise<void> {
    await this.rows.deleteOne({ _id: id, locked_until: lock, subject: null });
    await this.rows.updateOne(
      { _id: id, locked_until: lock, state: 'running' },
      { $set: { locked_until: new Date(0) } },
    );
  }

  /** False when the key is already in use. */
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

  /** The current state of the records that a request wrote before it died. */
  async written(company: Id, subject: ClaimSubject): Promise<OwnedRecord[]> {
    return recordsAt(this.connection, company, subject);
  }
}

function placeOf(id: string): [string, string, string] {
  return [COLLECTION, id, 'body'];
}
