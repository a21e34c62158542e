import { distinctIds, type Id } from '@commerce/records';

/**
 * Work on several ids, of which each is worked on once at a time. A mutex of async-mutex has no keys, and does not tell
 * which ids are free: those are read together.
 */
export class KeyedMutex {
  private readonly running = new Map<string, Promise<unknown>>();

  /** Does this work for each id, but first waits for those already in flight: they come last. */
  async each<T>(ids: readonly Id[], work: (free: readonly Id[]) => (id: Id) => Promise<T>): Promise<T[]> {
    const distinct = distinctIds(ids);
    const free = distinct.filter((id) => !this.running.has(id.toHexString()));
    const busy = distinct.filter((id) => this.running.has(id.toHexString()));
    const done = free.length === 0 ? [] : await this.all(free, work(free));
    if (busy.length === 0) return done;
    await Promise.all(busy.flatMap((id) => this.running.get(id.toHexString()) ?? []));
    return [...done, ...(await this.each(busy, work))];
  }

  private all<T>(ids: readonly Id[], workOn: (id: Id) => Promise<T>): Promise<T[]> {
    return Promise.all(ids.map((id) => this.hold(id, () => workOn(id))));
  }

  private async hold<T>(id: Id, work: () => Promise<T>): Promise<T> {
    const key = id.toHexString();
    const result = work().finally(() => this.running.delete(key));
    this.running.set(
      key,
      result.catch(() => undefined),
    );
    return result;
  }
}
