import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { Sealer } from '@commerce/platform';
import { walkById } from '../reading/walk-by-id.js';

/** Where a collection holds a sealed secret: the path of the value, and the field that its seal names. */
export interface SealedValue {
  readonly collection: string;
  readonly path: string;
  readonly field: string;
}

/** Seals what is stored again, with the first of the keys. */
@Injectable()
export class SecretResealer {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly sealer: Sealer,
  ) {}

  /**
   * Reseals one value in all documents and returns in how many. It may be stopped and run again at any time: what the
   * first key sealed is left alone, and what another writer changes meanwhile is not overwritten.
   */
  async reseal({ collection, path, field }: SealedValue): Promise<number> {
    const rows = this.connection.collection(collection);
    let count = 0;
    for await (const row of walkById(rows, { company: 1, [path]: 1 })) {
      const text = valueAt(row, path);
      // A text that begins like an object is an event without secrets, and is not sealed.
      if (typeof text !== 'string' || text === '' || text.startsWith('{')) continue;
      const sealed = this.sealer.reseal(text, [collection, String(row._id), field]);
      if (sealed === null) continue;
      const company = row['company'] as unknown;
      const asRead = { _id: row._id, ...(company === undefined ? {} : { company }), [path]: text };
      const { modifiedCount } = await rows.updateOne(asRead, { $set: { [path]: sealed } });
      count += modifiedCount;
    }
    return count;
  }
}

function valueAt(row: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row);
}
