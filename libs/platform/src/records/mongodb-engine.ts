import type { Id } from './fields/id.js';
import type { Engine, ListReader } from './engine.js';
import type { RecordModel } from './models.js';
import { MongodbListReader } from './mongodb-list-reader.js';
import type { Filter } from './page-query.js';
import type { RecordType } from './record.js';

/** MongoDB, alone, as a replica set or sharded: its planner weighs the fields of a filter, in any order, by itself. */
export class MongodbEngine implements Engine {
  readonly name = 'mongodb';

  withId(id: unknown, conditions: Filter): Filter {
    return { ...conditions, _id: id };
  }

  ofCompany(company: Id, conditions: Filter): Filter {
    return { ...conditions, company };
  }

  listReader(model: RecordModel, type: RecordType): ListReader {
    return new MongodbListReader(model, type);
  }
}
