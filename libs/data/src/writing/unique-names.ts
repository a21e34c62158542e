import { Injectable } from '@nestjs/common';
import { BY_COMPANY_TEXT } from '@commerce/records';

import { RowCollection } from '../server/row-collection.js';
import type { UnitOfWork } from './unit-of-work.js';

const NAMES = new RowCollection('taken_names', { sharding: BY_COMPANY_TEXT });

/**
 * Names that are unique in a company and free again when their record gives them up. Each is a document of its own,
 * inserted and removed in the commit of its record. A partial unique index on the records would do the same, but
 * some servers, among them the embedded one of `npm start`, only free a unique value when its document is removed,
 * not when it changes.
 */
@Injectable()
export class UniqueNames {
  /** Takes a name; the commit fails with `error` when it is taken. */
  take(work: UnitOfWork, kind: string, name: string, error: Error): void {
    const operation = { insertOne: { document: rowOf(work, kind, name) } };
    work.row({ collection: NAMES.name, operation, taken: () => error });
  }

  release(work: UnitOfWork, kind: string, name: string): void {
    work.row({ collection: NAMES.name, operation: { deleteOne: { filter: rowOf(work, kind, name) } } });
  }
}

/** Its id is company, kind and name. */
function rowOf(work: UnitOfWork, kind: string, name: string): { readonly _id: string } {
  return { _id: `${work.company.toHexString()}/${kind}/${name}` };
}
