import { distinctIds, type Id } from '@commerce/records';

/** The subscriptions that this process is billing now. */
export class InHand {
  private readonly running = new Map<string, Promise<void>>();

  /** Does this work for each id, but first waits for those already in flight: they come last. */
  async each<T>(ids: readonly Id[], work: (free: readonly Id[]) => (id: Id) => Promise<T>): Promise<T[]> {
    const distinct = distinctIds(ids);
    const free = distinct.filter((id) => !this.running.has(id.toHexString()));
    const busy = distinct.filter((id) => this.running.has(id.toHexString()));
    const done = free.length === 0 ? [] : await this.all(free, work(free));
    if (busy.length === 0) return done;
    await Promise.all(busy.map((id) => this.running.get(id.toHexString()) ?? Promise.resolve()));
    return [...done, ...(await this.each(busy, work))];
  }

  private all<T>(ids: readonly Id[], workOn: (id: Id) => Promise<T>): Promise<T[]> {
    return Promise.all(ids.map((id) => this.hold(id, () => workOn(id))));
  }

  private async hold<T>(id: Id, work: () => Promise<T>): Promise<T> {
    const key = id.toHexString();
    const result = work();
    const over = result.then(
      () => this.running.delete(key),
      () => this.running.delete(key),
    );
    this.running.set(
      key,
      over.then(() => undefined),
    );
    return result;
  }
}
