import { Injectable } from '@nestjs/common';
import { fieldFault, type Fault } from '@commerce/kernel';
import {
  MAX_COUNTED,
  MAX_READ_MS,
  RecordStore,
  byDistance,
  totalOf,
  type Page,
  type PlaceQuery,
  type PlaceReader,
  type PlacedId,
  type Total,
} from '@commerce/data';
import {
  FreeJson,
  InjectRecord,
  dehydrate,
  hydrate,
  type Filter,
  type Id,
  type PageQuery,
  type RecordModel,
} from '@commerce/records';

import type { ImageRecord } from '../images/image.record.js';
import { TemplateValueStore } from '../templates/template-value.store.js';
import { ExpandingRings, metresBetween, straightLine } from './expanding-rings.js';
import type { GeoPoint } from './product-query.js';
import { MAX_DISTANCE_M, ProductRecord } from './product.record.js';

/** One step of an aggregation. */
type Stage = Record<string, unknown>;

/** The range of distances from a place, in metres, of one search. */
interface Ring {
  readonly minDistance: number;
  readonly maxDistance: number;
}

/**
 * The largest relative difference between two computations of a distance: servers take the radius of the earth as 6,371
 * to 6,378 km.
 */
const PRECISION = 2e-3;

@Injectable()
export class ProductStore extends RecordStore<ProductRecord> implements TemplateValueStore {
  private readonly rings = new ExpandingRings();

  constructor(@InjectRecord(ProductRecord) model: RecordModel) {
    super(model, ProductRecord);
  }

  /**
   * The products available at a place: those whose max_distance reaches it, and those without one, always the nearest
   * first. They are read in expanding rings, so that the cost of a page depends on nearby products only.
   */
  async near(company: Id, place: GeoPoint, query: PageQuery): Promise<Page<ProductRecord>> {
    const reader = this.engine.placeReader(this.model);
    if (reader !== null) return this.nearWith(reader, company, place, query);
    const filter = { ...query.filter, company };
    const after = query.after === null ? null : await this.placed(company, place, query.after);
    const skip = after === null ? query.page * query.size : 0;
    const from = after?.away ?? 0;
    const found: object[] = [];
    for (const radius of this.rings.from(company)) {
      const ring = { minDistance: from, maxDistance: Math.min(from + radius, MAX_DISTANCE_M) };
      found.splice(
        0,
        found.length,
        ...(await this.ring(place, filter, ring, { after, skip, size: query.size })),
      );
      if (found.length <= query.size && ring.maxDistance < MAX_DISTANCE_M) continue;
      this.rings.learn(company, radius);
      break;
    }
    return {
      records: found.slice(0, query.size).map((document) => hydrate(ProductRecord, document)),
      query,
      hasMore: found.length > query.size,
      total: query.total ? await this.totalNear(company, place, query.filter) : null,
    };
  }

  private async nearWith(
    reader: PlaceReader,
    company: Id,
    place: GeoPoint,
    query: PageQuery,
  ): Promise<Page<ProductRecord>> {
    const records = this.in(company);
    const all = await reader.nearest(company, query.filter, offered(place));
    const after = query.after === null ? null : await this.awayOf(company, place, query.after);
    const first =
      after === null ? query.page * query.size : all.findIndex((one) => byDistance(one, after) > 0);
    const page = first < 0 ? [] : all.slice(first, first + query.size + 1);
    const found = await records.byIds(page.slice(0, query.size).map(({ _id }) => _id));
    return {
      records: page.flatMap(({ _id }) => found.get(_id.toHexString()) ?? []),
      query,
      hasMore: page.length > query.size,
      total: query.total ? totalOf(all.length) : null,
    };
  }

  /** @throws Fault `value.invalid` for a product that is not offered at the place */
  private async awayOf(company: Id, place: GeoPoint, _id: Id): Promise<PlacedId> {
    const product = await this.in(company).find(_id, { deleted: true });
    const away = product === null ? null : offered(place).awayOf({ ...product });
    if (away === null) throw notOffered();
    return { _id, away };
  }

  /** Whether a product that is not deleted shows an image, as its own or among its media. */
  async showsImage({ _id, url, company }: Pick<ImageRecord, '_id' | 'url' | 'company'>): Promise<boolean> {
    const records = this.in(company);
    const [own, medium] = await Promise.all([
      records.one({ company, 'image._id': _id, deleted: false }),
      records.one({ company, 'media.url': url, deleted: false }),
    ]);
    return own !== null || medium !== null;
  }

  /** Increments the versions, so that concurrent writers of these products read them again first. */
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

  private ring(
    place: GeoPoint,
    filter: Filter,
    ring: Ring,
    { after, skip, size }: { after: PlacedId | null; skip: number; size: number },
  ): Promise<object[]> {
    const beyond =
      after === null
        ? []
        : [
            {
              $match: { $or: [{ away: { $gt: after.away } }, { away: after.away, _id: { $gt: after._id } }] },
            },
          ];
    return this.run([
      ...offeredAt(place, filter, ring),
      ...beyond,
      { $sort: { away: 1, _id: 1 } },
      { $skip: skip },
      { $limit: size + 1 },
      { $project: { away: 0 } },
    ]);
  }

  /** The distance at which the database finds a product, searched around our own computation of it. */
  private async placed(company: Id, place: GeoPoint, after: Id): Promise<PlacedId> {
    const product = await this.in(company).find(after, { deleted: true });
    const [longitude, latitude] = product?.default_position ?? [];
    if (longitude !== undefined && latitude !== undefined) {
      const away = metresBetween(place, { longitude, latitude });
      const play = Math.max(1, away * PRECISION);
      const ring = { minDistance: Math.max(0, away - play), maxDistance: away + play };
      const [found] = await this.run<PlacedId>([
        ...offeredAt(place, { _id: after, company }, ring),
        { $project: { away: 1 } },
      ]);
      if (found) return found;
    }
    throw notOffered();
  }

  /** Number of products available at a place, up to 10,000. */
  async totalNear(company: Id, place: GeoPoint, filter: Filter): Promise<Total> {
    const reader = this.engine.placeReader(this.model);
    if (reader !== null) return totalOf((await reader.nearest(company, filter, offered(place))).length);
    const everywhere = { minDistance: 0, maxDistance: MAX_DISTANCE_M };
    const stages = [
      ...offeredAt(place, { ...filter, company }, everywhere),
      { $limit: MAX_COUNTED + 1 },
      { $count: 'count' },
    ];
    const [counted] = await this.run<{ count: number }>(stages);
    return totalOf(counted?.count ?? 0);
  }

  private async run<T extends object>(stages: Stage[]): Promise<T[]> {
    return this.model.collection.aggregate<T>(stages, { maxTimeMS: MAX_READ_MS }).toArray();
  }
}

function notOffered(): Fault {
  return fieldFault('after', 'after is not the id of a record of this list');
}

/** The distances of products that reach a place. */
function offered(place: GeoPoint): PlaceQuery {
  return {
    fields: ['default_position', 'max_distance'],
    awayOf: ({ default_position, max_distance }) => {
      if (!Array.isArray(default_position)) return null;
      const [longitude, latitude] = default_position as number[];
      if (longitude === undefined || latitude === undefined) return null;
      const away = metresBetween(place, { longitude, latitude });
      return typeof max_distance === 'number' && away > max_distance ? null : away;
    },
  };
}

function offeredAt({ longitude, latitude }: GeoPoint, filter: Filter, ring: Ring): Stage[] {
  // DocumentDB's index leaves out what is nearer than this by a straight line.
  const minDistance = straightLine(ring.minDistance) * (1 - PRECISION);
  return [
    {
      $geoNear: {
        near: { type: 'Point', coordinates: [longitude, latitude] },
        key: 'default_position',
        distanceField: 'away',
        spherical: true,
        query: filter,
        maxDistance: ring.maxDistance,
        ...(minDistance > 0 ? { minDistance } : {}),
      },
    },
    { $match: { $expr: { $lte: ['$away', { $ifNull: ['$max_distance', Number.MAX_VALUE] }] } } },
  ];
}
