import { isId, type Id } from '@commerce/records';
import { EmbeddedListReader } from './embedded-list-reader.js';
import { EmbeddedPlaceReader } from './embedded-place-reader.js';
import type { Engine, ListReader, PlaceReader } from '../../reading/engine.js';
import type { RecordModel } from '@commerce/records';
import type { Filter } from '@commerce/records';
import type { RecordType } from '@commerce/records';
import { MEASURED_DOCUMENTS } from './measured-size.js';

/**
 * The embedded server. Its planner takes an index that covers the whole filter, else the index that the first field of
 * the filter leads, and reads the descriptions of all indexes for each filter of several fields.
 */
export class EmbeddedEngine implements Engine {
  readonly name = 'embedded';
  readonly isSharded = false;
  readonly measured = MEASURED_DOCUMENTS;

  /** Nests the conditions, so that the planner sees the id alone and skips all other indexes. */
  withId(id: unknown, conditions: Filter): Filter {
    return { $and: [{ _id: id }, { $and: [conditions] }] };
  }

  /**
   * Puts the company first, unless the conditions place it or name an id. Several ids are met by a double negation, which
   * no index serves: the planner would otherwise read all records of the company.
   */
  ofCompany(company: Id, conditions: Filter): Filter {
    if (asksIds(conditions)) return { ...conditions, company: { $not: { $ne: company } } };
    return '_id' in conditions || 'company' in conditions
      ? { ...conditions, company }
      : { company, ...conditions };
  }

  listReader(model: RecordModel, type: RecordType): ListReader {
    return new EmbeddedListReader(model, type);
  }

  placeReader(model: RecordModel): PlaceReader {
    return new EmbeddedPlaceReader(model, this);
  }
}

/** Whether a filter names several ids. */
function asksIds({ _id: asked }: Filter): boolean {
  return typeof asked === 'object' && asked !== null && !isId(asked) && '$in' in asked;
}
