import { groupByCompany } from './batches.js';
import { sameId, type Id } from './fields/id.js';
import type { OwnedRecord } from './record.js';
import type { RecordStore } from './store.js';

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

  /** The record, deleted or not; null where the company has none with this id. */
  find(company: Id, id: Id): Promise<R | null> {
    return new Promise((resolve, reject) => {
      if (this.asked.length === 0) setImmediate(() => this.readAll());
      this.asked.push({ company, id, resolve, reject });
    });
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
    const distinct = asked.filter(({ id }, at) => asked.findIndex((one) => sameId(one.id, id)) === at);
    const found = await this.store.in(company).byIds(distinct.map(({ id }) => id));
    for (const { id, resolve } of asked) resolve(found.get(id.toHexString()) ?? null);
  }
}
