import { LRUCache } from 'lru-cache';

/** How long what was looked up may be believed: a revoked key stops working within this time. */
export const LOOKUP_MAX_AGE_MS = 5000;

const MAX_ENTRIES = 10_000;

/**
 * Remembers look-ups for five seconds, so that not every request repeats them. It holds 10,000 entries and no
 * failures; concurrent callers share one look-up.
 */
export class LookupCache<T> {
  private readonly cache: LRUCache<string, { readonly value: T }>;

  /** @param clock any clock that only goes forward; milliseconds */
  constructor(lookUp: (key: string) => Promise<T>, clock: { now(): number } = performance) {
    this.cache = new LRUCache({
      max: MAX_ENTRIES,
      ttl: LOOKUP_MAX_AGE_MS,
      ttlResolution: 0,
      perf: clock,
      // Those who wait for a look-up that is forgotten meanwhile still get its value; it is just not kept.
      ignoreFetchAbort: true,
      fetchMethod: async (key, _stale, { options }) => {
        const started = clock.now();
        const value = await lookUp(key);
        // An entry ages from the start of its look-up, for its value may be as old as that.
        options.ttl = Math.max(1, LOOKUP_MAX_AGE_MS - 1 - (clock.now() - started));
        return { value };
      },
    });
  }

  async get(key: string): Promise<T> {
    const kept = this.cache.get(key) ?? (await this.cache.fetch(key));
    if (kept === undefined) throw new Error('a look-up ended without a value');
    return kept.value;
  }

  forget(key: string): void {
    this.cache.delete(key);
  }
}
