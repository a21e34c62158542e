import type { Connection } from 'mongoose';

import { engineOf } from '../reading/engine.js';
import type { Id } from '@commerce/records';
import { hydrate, recordTypeIn, type OwnedRecord } from '@commerce/records';

/** The records of one collection with these ids that a company owns, in the order of the ids. */
export async function recordsAt(
  connection: Connection,
  company: Id,
  { collection, ids }: { readonly collection: string; readonly ids: readonly Id[] },
): Promise<OwnedRecord[]> {
  const type = recordTypeIn(collection);
  if (type === null) return [];
  const rows = await connection
    .collection<{ _id: Id; company: Id }>(collection)
    .find(engineOf(connection).ofCompany(company, { _id: { $in: [...ids] } }))
    .toArray();
  const found = new Map(rows.map((row) => [row._id.toHexString(), row]));
  return ids.flatMap((id) => {
    const row = found.get(id.toHexString());
    return row === undefined ? [] : [hydrate(type, row)];
  });
}
