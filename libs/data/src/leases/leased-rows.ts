import type { Collection } from 'mongoose';

import type { Filter } from '@commerce/records';
import type { Engine } from '../reading/engine.js';
import type { Lease } from './leases.js';

/** The fields of a row that hold its lease. */
export interface LeaseFields {
  /** The date at which the row is due; its end while a lease lasts, so that one index finds both. */
  readonly until: string;
  /** The name of the lease. Without it the end tells leases of a row apart: each ends after the one before. */
  readonly name?: string;
}

type Values = Record<string, unknown>;

/** Operators of an update, beside those that the lease itself needs. */
interface Also {
  readonly where?: Filter;
  readonly set?: Values;
  readonly add?: Readonly<Record<string, number>>;
  /** The fields of the row that are given. */
  readonly projection?: Readonly<Record<string, 1>>;
}

/** Rows of a collection that processes lease: each by a conditional update that only one of them can make. */
export class LeasedRows {
  constructor(
    private readonly rows: { readonly collection: Collection; readonly engine: Engine },
    private readonly fields: LeaseFields,
  ) {}

  /** Takes a row and gives it as it then is; null when it is not, or no longer, due. */
  async take<Row>(id: unknown, lease: Lease, also: Also = {}): Promise<Row | null> {
    const [filter, update] = this.taking(id, lease, also);
    const options = { returnDocument: 'after', projection: also.projection } as const;
    return this.rows.collection.findOneAndUpdate(filter, update, options) as Promise<Row | null>;
  }

  /** Takes those of these rows that are due, and gives how many they are. */
  async takeSome(ids: readonly unknown[], lease: Lease, also: Also = {}): Promise<number> {
    const [filter, update] = this.taking({ $in: ids }, lease, also);
    return (await this.rows.collection.updateMany(filter, update)).modifiedCount;
  }

  /** Changes a row while the lease lasts; false where it was lost to another process. */
  async write(id: unknown, lease: Lease, { where, set = {}, add }: Also): Promise<boolean> {
    const filter = this.heldRow(id, lease, where);
    const update = add === undefined ? { $set: set } : { $set: set, $inc: add };
    return (await this.rows.collection.updateOne(filter, update)).matchedCount === 1;
  }

  /** The filter for a row that is still leased so. */
  heldRow(id: unknown, lease: Lease, where: Filter = {}): Filter {
    return this.rows.engine.withId(id, { ...where, ...this.heldBy(lease) });
  }

  private valuesOf({ name, until }: Lease): Values {
    return {
      [this.fields.until]: until,
      ...(this.fields.name === undefined ? {} : { [this.fields.name]: name }),
    };
  }

  /** The condition that a row is still leased so. */
  heldBy({ name, until }: Pick<Lease, 'name' | 'until'>): Filter {
    return this.fields.name === undefined ? { [this.fields.until]: until } : { [this.fields.name]: name };
  }

  private taking(id: unknown, lease: Lease, { where, set, add }: Also): [Filter, object] {
    const filter = this.rows.engine.withId(id, { ...where, [this.fields.until]: { $lte: lease.at } });
    const values = { ...set, ...this.valuesOf(lease) };
    return [filter, add === undefined ? { $set: values } : { $set: values, $inc: add }];
  }
}
