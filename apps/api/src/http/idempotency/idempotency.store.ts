import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { fault } from '@commerce/kernel';
import {
  DatabaseClock,
  IDEMPOTENCY_KEYS,
  LeasedRows,
  Leases,
  engineOf,
  isDuplicate,
  recordsAt,
  type ReservationSubject,
  type Lease,
  type RowWrite,
} from '@commerce/data';
import { Sealer } from '@commerce/platform';
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
  readonly subject: ReservationSubject | null;
  readonly status: number;
  /** The reply, sealed because it may show secrets; empty for a reply without a body, null for one that is not kept. */
  readonly body: string | null;
  readonly created: Date;
}

/** The key and fingerprint of a request. */
export type KeyUse = Pick<IdempotencyRow, '_id' | 'fingerprint' | 'company'>;

/** Where the row of a key lies. */
export type KeyPlace = Pick<IdempotencyRow, '_id' | 'company'>;

type Stored = Pick<IdempotencyRow, 'status' | 'body'>;

/** The stored form of a reply. */
export interface KeptReply extends Stored {
  /** The records that a repetition shows in place of a body that is not kept; null where there are none. */
  readonly instead: ReservationSubject | null;
}

const { name: COLLECTION } = IDEMPOTENCY_KEYS;

/** The idempotency keys in use, each for 24 hours. */
@Injectable()
export class IdempotencyStore {
  private readonly rows: Collection<IdempotencyRow>;
  private readonly leased: LeasedRows;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: DatabaseClock,
    private readonly sealer: Sealer,
    private readonly leases: Leases,
  ) {
    this.rows = connection.collection<IdempotencyRow>(COLLECTION);
    const rows = { collection: connection.collection(COLLECTION), engine: engineOf(connection) };
    this.leased = new LeasedRows(rows, { until: 'locked_until' });
  }

  /** Reserves the key for this request and returns its lease, or the existing row when the key is in use. */
  async reserve(use: KeyUse): Promise<Lease | IdempotencyRow> {
    const lease = this.begin();
    const { until: locked_until, at: created } = lease;
    const state = 'running';
    const row = { ...use, state, locked_until, created, subject: null, status: 0, body: '' } as const;
    // Where the row that has it expired, or was let go, between the two calls, the next try will have it.
    return (await this.inserted(row)) ? lease : ((await this.find(use)) ?? this.reserve(use));
  }

  /** Finds the row of a key. */
  async find({ _id, company }: KeyPlace): Promise<IdempotencyRow | null> {
    return this.rows.findOne({ _id, company });
  }

  /** Reserves the key together with the reply. Returns the existing row when the key is in use. */
  async keep(use: KeyUse, reply: KeptReply): Promise<IdempotencyRow | null> {
    return (await this.inserted(this.doneRow(use, reply))) ? null : this.find(use);
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

  /** Continues the work of a request that died, and returns the new lease; null when that may still run, or another request was faster. */
  async takeOver({ _id, company, locked_until }: IdempotencyRow): Promise<Lease | null> {
    const lease = this.begin();
    if (locked_until > lease.at) return null;
    const also = { where: { company, state: 'running' }, projection: { _id: 1 } } as const;
    return (await this.leased.take(_id, lease, also)) === null ? null : lease;
  }

  /**
   * The write that notes, in the work's transaction, the written records; null for records outside the reply. A request
   * that ran too long and lost its lease must not write: its transaction fails with `idempotency_key.in_flight`.
   */
  noteOf({ _id, company }: KeyPlace, lease: Lease, subject: ReservationSubject | null): RowWrite {
    return {
      collection: COLLECTION,
      operation: {
        updateOne: {
          filter: this.leased.heldRow(_id, lease, { company }),
          // A write even where there is nothing to note: of two transactions that write the row only one commits.
          update: { $inc: { commits: 1 }, ...(subject === null ? {} : { $set: { subject } }) },
        },
      },
      missing: () => fault('idempotency_key.in_flight', 'Another request took over this Idempotency-Key'),
    };
  }

  /** Stores the reply; without effect after another request took the lease. */
  async finish({ _id, company }: KeyPlace, lease: Lease, reply: KeptReply): Promise<void> {
    const done = { state: 'done', ...stored(reply) } as const;
    await this.leased.write(_id, lease, { where: { company }, set: done });
  }

  /** Compresses and encrypts the body of a reply for storage. */
  sealed({ _id }: KeyPlace, body: string): string {
    return body === '' ? '' : this.sealer.seal(deflated(body), placeOf(_id));
  }

  /** The body of a stored reply; null where it is not kept. */
  replyOf({ _id, body }: IdempotencyRow): string | null {
    if (body === null) return null;
    return body === '' ? '' : inflated(this.sealer.open(body, placeOf(_id)));
  }

  /**
   * Releases the key when nothing was written, so that a repaired request may use it. A row with written records stays.
   */
  async release({ _id, company }: KeyPlace, lease: Lease): Promise<void> {
    await this.rows.deleteOne({ _id, company, locked_until: lease.until, subject: null });
    const running = { company, state: 'running' };
    await this.leased.write(_id, lease, { where: running, set: { locked_until: new Date(0) } });
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

  private doneRow(use: KeyUse, reply: KeptReply): IdempotencyRow {
    const created = this.clock.read();
    return { ...use, state: 'done', locked_until: created, created, subject: null, ...stored(reply) };
  }

  /** A request may take twice as long as other leased work. */
  private begin(): Lease {
    return this.leases.begin(this.clock.read(), 2);
  }

  /** The current state of the records that a request wrote before it died. */
  async written(company: Id, subject: ReservationSubject): Promise<OwnedRecord[]> {
    return recordsAt(this.connection, company, subject);
  }
}

/** The part of a row that a stored reply fills. */
function stored({ status, body, instead }: KeptReply): Partial<IdempotencyRow> & Stored {
  return body === null ? { status, body, subject: instead } : { status, body };
}

/** Shorter replies are stored as they are. */
const SHORT = 2048;

/** No JSON begins like this. */
const DEFLATED = 'deflate:';

/** A reply as it is sealed: compressed where it is long, since lists of lines repeat themselves. */
function deflated(body: string): string {
  return body.length < SHORT ? body : DEFLATED + deflateRawSync(body).toString('base64');
}

function inflated(text: string): string {
  if (!text.startsWith(DEFLATED)) return text;
  return inflateRawSync(Buffer.from(text.slice(DEFLATED.length), 'base64')).toString();
}

function placeOf(id: string): [string, string, string] {
  return [COLLECTION, id, 'body'];
}
