import { mongo } from 'mongoose';

import type { RecordModel } from '@commerce/records';
import { MAX_COUNTED, MAX_READ_MS, totalOf, type Total } from './page.js';
import type { Filter } from '@commerce/records';

/**
 * Counts long lists; a count that has not begun serves all concurrent calls. A call during a count waits for the next
 * one, which sees all writes before the call; a cache or DataLoader would give it the running count.
 */
export class Counter {
  /** Each resolves when the count ends, also in an error. */
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly next = new Map<string, Promise<Total>>();

  constructor(private readonly model: RecordModel) {}

  /** How many records match, exact up to 10,000. */
  async count(filter: Filter): Promise<Total> {
    const key = mongo.BSON.EJSON.stringify(filter);
    const running = this.running.get(key);
    if (running === undefined) return this.run(key, filter);
    const next =
      this.next.get(key) ??
      running.then(() => {
        this.next.delete(key);
        return this.run(key, filter);
      });
    this.next.set(key, next);
    return next;
  }

  private async run(key: string, filter: Filter): Promise<Total> {
    const most = { limit: MAX_COUNTED + 1, maxTimeMS: MAX_READ_MS };
    const counting = this.model.collection.countDocuments(filter, most);
    const done = counting.catch(() => undefined);
    this.running.set(key, done);
    try {
      return totalOf(await counting);
    } finally {
      if (this.running.get(key) === done) this.running.delete(key);
    }
  }
}
