/** Items by tenant, served round robin, so that a tenant with many of them keeps no other waiting. */
export class RoundRobin<T> {
  /** The tenant whose turn is next comes first. No queue is empty. */
  private readonly queues = new Map<string, T[]>();

  private count = 0;

  /** How many items wait. */
  get size(): number {
    return this.count;
  }

  /** How many items of a tenant wait. */
  countOf(tenant: string): number {
    return this.queues.get(tenant)?.length ?? 0;
  }

  add(tenant: string, item: T): void {
    this.count += 1;
    const queue = this.queues.get(tenant);
    if (queue === undefined) this.queues.set(tenant, [item]);
    else queue.push(item);
  }

  /** Takes the oldest item of the tenant whose turn it is; undefined where nothing waits. */
  next(): T | undefined {
    const [first] = this.queues;
    if (first === undefined) return undefined;
    const [tenant, queue] = first;
    const item = queue.shift();
    this.count -= 1;
    this.queues.delete(tenant);
    if (queue.length > 0) this.queues.set(tenant, queue);
    return item;
  }

  /** Takes all items for which this is true. */
  removeIf(isMeant: (item: T) => boolean): T[] {
    const removed: T[] = [];
    for (const [tenant, queue] of [...this.queues]) {
      const kept = queue.filter((item) => !isMeant(item));
      removed.push(...queue.filter(isMeant));
      if (kept.length === 0) this.queues.delete(tenant);
      else this.queues.set(tenant, kept);
    }
    this.count -= removed.length;
    return removed;
  }
}
