import type { Id } from '@commerce/records';

/** One walk over the records of a company: how far it is, and whether it has to end. */
export class Walk {
  private count = 0;

  /** @param signal ends the walk before the next record, by throwing its reason */
  constructor(
    readonly company: Id,
    readonly now: Date,
    private readonly signal: AbortSignal | null = null,
  ) {}

  /** Records looked at so far. */
  get checked(): number {
    return this.count;
  }

  /** Passes records on, one at a time, for as long as the walk goes on. */
  async *over<R>(records: AsyncIterable<R>): AsyncGenerator<R> {
    for await (const record of records) {
      this.signal?.throwIfAborted();
      this.count += 1;
      yield record;
    }
  }
}
