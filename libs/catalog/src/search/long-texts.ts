import { LookupCache } from '@commerce/platform';
import { parseId, type Id } from '@commerce/records';
import { LRUCache } from 'lru-cache';

import type { Searched } from './searched.js';

/** Bound on the companies and kinds of records for which this process remembers a long text. */
const MAX_NOTED = 10_000;

/**
 * Knows whether a company has texts so long that they are indexed by buckets, which hardly any has: other searches skip
 * the buckets. Texts that this process writes count immediately, the first one of another process within five seconds.
 */
export class LongTexts {
  private readonly noted = new LRUCache<string, true>({ max: MAX_NOTED });
  private readonly stored: LookupCache<boolean>;

  /** @param find returns one of them; null where there is none */
  constructor(find: (company: Id, kind: Searched) => Promise<object | null>) {
    this.stored = new LookupCache(async (key) => {
      const [company, kind] = key.split('/') as [string, Searched];
      return (await find(parseId(company) as Id, kind)) !== null;
    });
  }

  /** Remembers that a long text will be written. */
  note(company: Id, kind: Searched): void {
    this.noted.set(keyOf(company, kind), true);
  }

  async areAmong(company: Id, kind: Searched): Promise<boolean> {
    const key = keyOf(company, kind);
    return this.noted.has(key) || this.stored.get(key);
  }
}

function keyOf(company: Id, kind: Searched): string {
  return `${company.toHexString()}/${kind}`;
}
