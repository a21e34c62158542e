import type { Id } from '@commerce/records';
import type { Engine, ListReader } from '../../reading/engine.js';
import type { RecordModel } from '@commerce/records';
import { MongodbListReader } from './mongodb-list-reader.js';
import type { Filter } from '@commerce/records';
import type { RecordType } from '@commerce/records';

/** MongoDB, alone, as a replica set or sharded: its planner weighs the fields of a filter, in any order, by itself. */
export class MongodbEngine implements Engine {
  readonly name = 'mongodb';
  readonly measured = null;

  constructor(readonly isSharded: boolean) {}

  withId(id: unknown, conditions: Filter): Filter {
    return { ...conditions, _id: id };
  }

  /** The company comes first, as in each index, and no condition replaces it. */
  ofCompany(company: Id, conditions: Filter): Filter {
    return Object.assign({ company }, conditions, { company });
  }

  listReader(model: RecordModel, type: RecordType): ListReader {
    return new MongodbListReader(model, type);
  }

  placeReader(): null {
    return null;
  }
}
