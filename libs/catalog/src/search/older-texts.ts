import { dropIndex } from '@commerce/data';
import { LookupCache } from '@commerce/platform';

/** The index of the rows that earlier versions wrote: `{grams, company, kind}`. */
const INDEX = 'grams_1_company_1_kind_1';

/** The part of a collection that concerns its indexes. */
interface Indexed {
  indexes(): Promise<readonly { readonly name?: string }[]>;
  dropIndex(name: string): Promise<unknown>;
}

/**
 * Knows whether rows of an earlier version may remain: as long as their index exists. New installations never have it,
 * and `search:rebuild` drops it once it has rewritten all rows.
 */
export class OlderTexts {
  private readonly indexed: LookupCache<boolean>;

  constructor(private readonly collection: () => Indexed) {
    this.indexed = new LookupCache(async () =>
      (await collection().indexes()).some(({ name }) => name === INDEX),
    );
  }

  areLeft(): Promise<boolean> {
    return this.indexed.get(INDEX);
  }

  async forget(): Promise<void> {
    await dropIndex(this.collection(), INDEX);
    this.indexed.forget(INDEX);
  }
}
