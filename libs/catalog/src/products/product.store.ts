import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import {
  FreeJson,
  InjectRecord,
  RecordStore,
  dehydrate,
  hydrate,
  type Filter,
  type Id,
  type Page,
  type PageQuery,
  type RecordModel,
} from '@commerce/platform';

import { TemplateValueStore } from '../templates/template-value.store.js';
import type { GeoPoint } from './product-query.js';
import { ProductRecord } from './product.record.js';

/** One step of an aggregation. */
type Stage = Record<string, unknown>;

const MAX_READ_MS = 1000;

@Injectable()
export class ProductStore extends RecordStore<ProductRecord> implements TemplateValueStore {
  constructor(@InjectRecord(ProductRecord) model: RecordModel) {
    super(model, ProductRecord);
  }

  /**
   * The products that are offered at a place: those whose max_distance reaches it, and those without one. Nearest
   * first, whatever order the query asks for.
   */
  async near(company: Id, place: GeoPoint, query: PageQuery): Promise<Page<ProductRecord>> {
    const offered = offeredAt(place, { company, ...query.filter });
    const paged: Stage[] = [
      ...(query.after === null ? [] : [await this.beyond(company, place, query.after)]),
      { $sort: { away: 1, _id: 1 } },
      { $skip: query.after === null ? query.page * query.size : 0 },
      { $limit: query.size },
      { $project: { away: 0, search_text: 0, search_grams: 0 } },
    ];
    const [found, counted] = await Promise.all([
      this.run<object>([...offered, ...paged]),
      this.run<{ total: number }>([...offered, { $count: 'total' }]),
    ]);
    const records = found.map((document) => hydrate(ProductRecord, document));
    return { records, query, hasMore: false, total: { count: counted[0]?.total ?? 0, capped: false } };
  }

  /** Raises the versions, so that whoever is about to write one of these products reads it again first. */
  async unsetAttributes(company: Id, template: Id, most: number, now: Date): Promise<number> {
    const found = await this.model.collection
      .find({ template, company })
      .project<{ _id: Id }>({ _id: 1 })
      .limit(most)
      .toArray();
    if (found.length === 0) return 0;
    await this.model.collection.updateMany(
      { _id: { $in: found.map(({ _id }) => _id) }, template, company },
      {
        $set: { ...dehydrate({ attributes: FreeJson.stored('{}') }), template: null, modified: now },
        $inc: { 'sys.version': 1 },
      },
    );
    return found.length;
  }

  private async beyond(company: Id, place: GeoPoint, after: Id): Promise<Stage> {
    const [last] = await this.run<{ away: number }>([
      ...offeredAt(place, { _id: after, company }),
      { $project: { away: 1 } },
    ]);
    if (!last) throw fieldFault('after', 'after is not the id of a record of this list');
    const { away } = last;
    return { $match: { $or: [{ away: { $gt: away } }, { away, _id: { $gt: after } }] } };
  }

  private async run<T extends object>(stages: Stage[]): Promise<T[]> {
    return this.model.collection.aggregate<T>(stages, { maxTimeMS: MAX_READ_MS }).toArray();
  }
}

function offeredAt({ longitude, latitude }: GeoPoint, filter: Filter): Stage[] {
  return [
    {
      $geoNear: {
        near: { type: 'Point', coordinates: [longitude, latitude] },
        key: 'default_position',
        distanceField: 'away',
        spherical: true,
        query: filter,
      },
    },
    { $match: { $expr: { $lte: ['$away', { $ifNull: ['$max_distance', Number.MAX_VALUE] }] } } },
  ];
}
