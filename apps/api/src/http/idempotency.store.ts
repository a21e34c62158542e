import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { SystemClock, recordAt, type ClaimSubject, type Id, type OwnedRecord } from '@commerce/platform';
import type { ClientSession, Collection, Connection } from 'mongoose';

/** One use of an idempotency key. */
export interface IdempotencyRow {
  /** SHA-256 over company, credential, method, path and key. */
  readonly _id: string;
  /** SHA-256 of the body: the same key with another body is a mistake of the caller. */
  readonly fingerprint: string;
  readonly company: Id;
  readonly state: 'running' | 'done';
  /** While the request runs, and as long as it might still run after its process died. */
  readonly locked_until: Date;
  /** What the request's first commit wrote; set in the same transaction. */
  readonly subject: ClaimSubject | null;
  readonly status: number;
  readonly body: string;
  readonly created: Date;
}

const KEPT_SECONDS = 24 * 3600;
const LOCK_MS = 60_000;

/** The idempotency keys in use, each for 24 hours. */
@Injectable()
export class IdempotencyStore implements OnModuleInit {
  private readonly rows: Collection<IdempotencyRow>;

  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly clock: SystemClock,
  ) {
    this.rows = connection.collection<IdempotencyRow>('idempotency_keys');
  }

  async onModuleInit(): Promise<void> {
    await this.rows.createIndexes([
      { key: { created: 1 }, name: 'expiry', expireAfterSeconds: KEPT_SECONDS },
    ]);
  }

  /** Claims the key for this request; when it is in use already, gives the row that has it. */
  async claim(id: string, fingerprint: string, company: Id): Promise<IdempotencyRow | null> {
    const now = this.clock.now();
    const row: IdempotencyRow = {
      _id: id,
      fingerprint,
      company,
      state: 'running',
      locked_until: new Date(now.getTime() + LOCK_MS),
      subject: null,
      status: 0,
      body: '',
      created: now,
    };
    try {
      await this.rows.insertOne(row);
      return null;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 11000) throw error;
      const found = await this.rows.findOne({ _id: id });
      // It expired, or was let go, between the two calls: the next try will have it.
      return found ?? this.claim(id, fingerprint, company);
    }
  }

  /** Takes over from a request that died; false when another was quicker. */
  async takeOver(row: IdempotencyRow): Promise<boolean> {
    const now = this.clock.now();
    const { modifiedCount } = await this.rows.updateOne(
      { _id: row._id, state: 'running', locked_until: row.locked_until },
      { $set: { locked_until: new Date(now.getTime() + LOCK_MS) } },
    );
    return modifiedCount === 1;
  }

  async note(id: string, subject: ClaimSubject, session: ClientSession | undefined): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { subject } }, { session });
  }

  async finish(id: string, status: number, body: string): Promise<void> {
    await this.rows.updateOne({ _id: id }, { $set: { state: 'done', status, body } });
  }

  /** Lets the key go: nothing was written, so a repaired request may use it. What was written is kept to be found. */
  async release(id: string): Promise<void> {
    await this.rows.deleteOne({ _id: id, subject: null });
    await this.rows.updateOne({ _id: id, state: 'running' }, { $set: { locked_until: new Date(0) } });
  }

  /** The record that a request had written before it died, as it is now. */
  async written(company: Id, subject: ClaimSubject): Promise<OwnedRecord | null> {
    return recordAt(this.connection, company, subject);
  }
}
