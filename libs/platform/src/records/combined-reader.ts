import { groupByCompany } from './batches.js';
import { distinctIds, type Id } from './fields/id.js';
import { isDeleted, type OwnedRecord } from './record.js';
import type { FindOptions, RecordStore } from './store.js';

interface Asked<R> {
  readonly company: Id;
  readonly id: Id;
  readonly resolve: (record: R | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads records by id, those that are asked for at the same moment in one read. Nothing is remembered: a record is as
 * it was after it was asked for.
 */
export class CombinedReader<R extends OwnedRecord> {
  private asked: Asked<R>[] = [];

  constructor(private readonly store: RecordStore<R>) {}

  /** As `store.in(company).find(id)`. */
  async find(company: Id, id: Id, options: FindOptions = {}): Promise<R | null> {
    const found = await new Promise<R | null>((resolve, reject) => {
      if (this.asked.length === 0) setImmediate(() => this.readAll());
      this.asked.push({ company, id, resolve, reject });
    });
    return found !== null && options.deleted !== true && isDeleted(this.store.type, found) ? null : found;
  }

  private readAll(): void {
    const { asked } = this;
    this.asked = [];
    for (const [company, own] of groupByCompany(asked)) {
      this.read(company, own).catch((error: unknown) => {
        for (const { reject } of own) reject(error);
      });
    }
  }

  private async read(company: Id, asked: readonly Asked<R>[]): Promise<void> {
    const found = await this.store.in(company).byIds(distinctIds(asked.map(({ id }) => id)));
    for (const { id, resolve } of asked) resolve(found.get(id.toHexString()) ?? null);
  }
}
