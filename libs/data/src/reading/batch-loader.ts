import DataLoader from 'dataloader';

import { isDeleted, type FindOptions, type Id, type OwnedRecord, type RecordType } from '@commerce/records';

/** As many records come with the first batch of a cursor of MongoDB. */
const MAX_READ = 100;

/** The records of one company. */
interface Records<R> {
  find(id: Id, options: FindOptions): Promise<R | null>;
  byIds(ids: readonly Id[]): Promise<ReadonlyMap<string, R>>;
}

/**
 * A batch loader of records by id: one read of a company serves all calls of one turn of the event loop. Nothing is remembered
 * longer: each company has a DataLoader for the turn. Concurrent calls share one object: treat it as read-only.
 */
export class BatchLoader<R extends OwnedRecord> {
  private readonly loaders = new Map<string, DataLoader<Id, R | null, string>>();

  constructor(
    private readonly type: RecordType<R>,
    private readonly recordsOf: (company: Id) => Records<R>,
  ) {}

  /** As `find` of the company's records. */
  async find(company: Id, id: Id, options: FindOptions = {}): Promise<R | null> {
    const found = await this.loaderOf(company).load(id);
    const hidden = found !== null && options.deleted !== true && isDeleted(this.type, found);
    return hidden ? null : found;
  }

  private loaderOf(company: Id): DataLoader<Id, R | null, string> {
    const key = company.toHexString();
    const loader =
      this.loaders.get(key) ??
      new DataLoader<Id, R | null, string>((ids) => this.read(company, ids), {
        maxBatchSize: MAX_READ,
        cacheKeyFn: (id) => id.toHexString(),
        batchScheduleFn: (read) =>
          setImmediate(() => {
            this.loaders.delete(key);
            read();
          }),
      });
    this.loaders.set(key, loader);
    return loader;
  }

  private async read(company: Id, ids: readonly Id[]): Promise<(R | null)[]> {
    const records = this.recordsOf(company);
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return [await records.find(only, { deleted: true })];
    const found = await records.byIds(ids);
    return ids.map((id) => found.get(id.toHexString()) ?? null);
  }
}
