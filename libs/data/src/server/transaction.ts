import { mongo, type ClientSession, type Connection } from 'mongoose';

import type { Backoff } from '@commerce/kernel';
import { TransactionTimeout, isTransactionConflict } from './database-trouble.js';
import { retryWhen } from './retry.js';

/** Pauses before a transaction that met another one begins again. */
const PAUSES: Backoff = { firstMs: 5, factor: 1.5, longestMs: 250 };

/** Where the connection has no deadline for its calls. */
const LONGEST_MS = 120_000;

type Work<T> = (session: ClientSession) => Promise<T>;

/**
 * Runs work in a transaction, again where it met another one, for as long as two calls of the database may take. The
 * driver's own loop goes on for two minutes: behind a primary without a majority such loops would hold all connections.
 * @throws TransactionTimeout when that time is over; whether a running commit takes effect is then unknown
 */
export async function inTransaction<T>(
  connection: Connection,
  work: Work<T>,
  { attempts: most = Infinity }: { readonly attempts?: number } = {},
): Promise<T> {
  const { socketTimeoutMS, writeConcern } = connection.getClient().options;
  const limitMs = socketTimeoutMS > 0 ? 2 * socketTimeoutMS : LONGEST_MS;
  const session = await connection.startSession({
    defaultTransactionOptions: { readConcern: { level: 'snapshot' }, writeConcern },
  });
  const attempts = new TransactionAttempts(session, performance.now() + limitMs, most);
  return inTime(attempts.run(work), limitMs);
}

/** Operations that run beyond the deadline end soon by themselves, and nobody waits for them. */
async function inTime<T>(done: Promise<T>, limitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TransactionTimeout(`not committed within ${String(limitMs)} ms`)),
      limitMs,
    );
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

class TransactionAttempts {
  constructor(
    private readonly session: ClientSession,
    private readonly end: number,
    private readonly most: number,
  ) {}

  async run<T>(work: Work<T>): Promise<T> {
    const isWorth = (error: unknown): boolean => isTransactionConflict(error) && !this.isOver();
    const retry = retryWhen(isWorth, { retries: this.most - 1, pauses: PAUSES });
    try {
      return await retry.execute(() => this.once(work));
    } finally {
      await this.session.endSession();
    }
  }

  private async once<T>(work: Work<T>): Promise<T> {
    this.session.startTransaction();
    let result: T;
    try {
      result = await work(this.session);
      if (this.isOver()) throw new TransactionTimeout('the time was over before the commit');
    } catch (error) {
      await this.session.abortTransaction();
      throw error;
    }
    await this.commit();
    return result;
  }

  /** A commit may be repeated: the server knows whether it was done. */
  private async commit(): Promise<void> {
    for (;;) {
      try {
        await this.session.commitTransaction();
        return;
      } catch (error) {
        if (!isUnknown(error) || this.isOver()) throw error;
      }
    }
  }

  private isOver(): boolean {
    return performance.now() > this.end;
  }
}

/** Whether it is unknown if the commit took effect. */
function isUnknown(error: unknown): boolean {
  return (
    error instanceof mongo.MongoError &&
    error.hasErrorLabel(mongo.MongoErrorLabel.UnknownTransactionCommitResult)
  );
}
