import type { ListReader } from '../../reading/engine.js';
import { isRange, sortFieldOf, stretchesAfter, within, type Stretch } from '../../reading/list-order.js';
import type { RecordModel } from '@commerce/records';
import { MAX_READ_MS } from '../../reading/page.js';
import { aggregateWhole } from '../../reading/read-whole.js';
import type { Filter, PageQuery, Sort } from '@commerce/records';
import type { OwnedRecord, RecordType } from '@commerce/records';

type Document = Record<string, unknown>;

/**
 * Reads a page by one aggregation that walks an index in the order of the list and ends with the page. A page that
 * follows a record takes a second one where the records that tie with it do not fill the page.
 */
export class MongodbListReader implements ListReader {
  constructor(
    private readonly model: RecordModel,
    private readonly type: RecordType,
  ) {}

  async read(filter: Filter, query: PageQuery, last: OwnedRecord | null): Promise<Document[]> {
    const { sort, size, page } = query;
    const field = sortFieldOf(this.type, sort);
    const wanted = size + 1;
    if (last === null) return this.fetch(filter, sort, page * size, wanted);
    const found: Document[] = [];
    for (const stretch of stretchesAfter(sort, field, last)) {
      const part = narrowed(filter, sort.field, stretch);
      found.push(...(await this.fetch(part, sort, 0, wanted - found.length)));
      if (found.length >= wanted) break;
    }
    return found;
  }

  private async fetch(
    filter: Filter,
    { field, direction }: Sort,
    skip: number,
    limit: number,
  ): Promise<Document[]> {
    const stages = [
      { $match: filter },
      { $sort: field === '_id' ? { _id: direction } : { [field]: direction, _id: direction } },
      ...(skip > 0 ? [{ $skip: skip }] : []),
      { $limit: limit },
    ];
    return aggregateWhole(this.model.collection, stages, { limit, maxTimeMS: MAX_READ_MS });
  }
}

/** The filter of a list, for one stretch of it. */
function narrowed(filter: Filter, field: string, { bounds, where }: Stretch): Filter {
  const own = filter[field];
  if (bounds !== null && (own === undefined || isRange(own))) {
    return { ...filter, [field]: within(own ?? {}, bounds) };
  }
  const conditions = where ?? { [field]: bounds };
  const isFree = Object.keys(conditions).every((name) => filter[name] === undefined);
  if (isFree) return { ...filter, ...conditions };
  const other = (filter['$and'] as Filter[] | undefined) ?? [];
  return { ...filter, $and: [...other, conditions] };
}
