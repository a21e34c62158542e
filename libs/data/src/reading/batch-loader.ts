import { groupByCompany } from './batches.js';
import {
  distinctIds,
  type Id,
  isDeleted,
  type FindOptions,
  type OwnedRecord,
  type RecordType,
} from '@commerce/records';

/** As many records come with the first batch of a cursor of MongoDB. */
const MAX_READ = 100;

interface Asked {
  readonly company: Id;
  readonly id: Id;
  readonly resolve: (record: OwnedRecord | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The records of one company. */
interface Records<R> {
  find(id: Id, options: FindOptions): Promise<R | null>;
  byIds(ids: readonly Id[]): Promise<ReadonlyMap<string, R>>;
}

/**
 * Reads records by id, those that are asked for at the same moment in one read. Nothing is remembered: a record is as
 * it was after it was asked for. Who asks for the same one gets the same object, so nobody may change it.
 */
export class BatchLoader<R extends OwnedRecord> {
  private asked: Asked[] = [];

  constructor(
    private readonly type: RecordType<R>,
    private readonly recordsOf: (company: Id) => Records<R>,
  ) {}

  /** As `find` of the company's records. */
  async find(company: Id, id: Id, options: FindOptions = {}): Promise<R | null> {
    const found = await new Promise<OwnedRecord | null>((resolve, reject) => {
      if (this.asked.length === 0) setImmediate(() => this.readAll());
      this.asked.push({ company, id, resolve, reject });
    });
    const hidden = found !== null && options.deleted !== true && isDeleted(this.type, found);
    return hidden ? null : (found as R | null);
  }

  private readAll(): void {
    const { asked } = this;
    this.asked = [];
    for (const [company, own] of groupByCompany(asked)) {
      for (let from = 0; from < own.length; from += MAX_READ) {
        const part = own.slice(from, from + MAX_READ);
        this.read(company, part).catch((error: unknown) => {
          for (const { reject } of part) reject(error);
        });
      }
    }
  }

  private async read(company: Id, asked: readonly Asked[]): Promise<void> {
    const records = this.recordsOf(company);
    const ids = distinctIds(asked.map(({ id }) => id));
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) {
      const found = await records.find(only, { deleted: true });
      for (const { resolve } of asked) resolve(found);
      return;
    }
    const found = await records.byIds(ids);
    for (const { id, resolve } of asked) resolve(found.get(id.toHexString()) ?? null);
  }
}
