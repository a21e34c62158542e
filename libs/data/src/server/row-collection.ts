import type { Sharding } from '@commerce/records';
import type { Collection, Connection, mongo } from 'mongoose';

interface Options {
  /** How a sharded MongoDB distributes it; null for a collection of the installation, which stays on one shard. */
  readonly sharding: Sharding | null;
  /** Its indexes besides that of `_id`. */
  readonly indexes?: readonly mongo.IndexDescription[];
}

/** A collection as the start and the sharding of the database see it. */
type Declared = Pick<RowCollection, 'name' | 'sharding' | 'indexes'>;

const declared: Declared[] = [];

/**
 * Declares a collection of rows, which are no records. Every start creates the declared collections: within a
 * transaction, a sharded MongoDB creates none.
 */
export class RowCollection<Row extends object = object> {
  readonly sharding: Sharding | null;
  readonly indexes: readonly mongo.IndexDescription[];

  constructor(
    readonly name: string,
    { sharding, indexes = [] }: Options,
  ) {
    this.sharding = sharding;
    this.indexes = indexes;
    declared.push(this);
  }

  in(connection: Connection): Collection<Row> {
    return connection.collection<Row>(this.name);
  }
}

export function rowCollections(): readonly Declared[] {
  return declared;
}
