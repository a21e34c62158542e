import { setTimeout as pause } from 'node:timers/promises';

import type { Id } from '@commerce/records';

/** Each collection with a list has an index in this order; by `_id`, MongoDB would sort all records of a company. */
export const OLDEST_FIRST = { created: 1, _id: 1 } as const;

/** A walk beside other work rests for as long as it has worked, after this time. */
const WORK_MS = 200;

/** One walk over the records of a company: how far it is, and whether it has to end. */
export class Walk {
  private count = 0;
  private since = performance.now();

  /**
   * @param signal ends the walk before the next record, by throwing its reason
   * @param rests leaves half of the time to others: the database answers people meanwhile
   */
  constructor(
    readonly company: Id,
    readonly now: Date,
    private readonly signal: AbortSignal | null = null,
    private readonly rests = false,
  ) {}

  /** Records looked at so far. */
  get checked(): number {
    return this.count;
  }

  /** Passes records on, one at a time, for as long as the walk goes on. */
  async *over<R>(records: AsyncIterable<R>): AsyncGenerator<R> {
    for await (const record of records) {
      if (this.rests) await this.rest();
      this.signal?.throwIfAborted();
      this.count += 1;
      yield record;
    }
  }

  private async rest(): Promise<void> {
    const worked = performance.now() - this.since;
    if (worked < WORK_MS) return;
    await pause(worked);
    this.since = performance.now();
  }
}
