import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import { MAX_COUNTED, MAX_READ_MS, RecordStore, totalOf, type Page, type Total } from '@commerce/data';
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

interface Placed {
  readonly _id: Id;
  readonly away: number;
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
    { after, skip, size }: { after: Placed | null; skip: number; size: number },
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
  private async placed(company: Id, place: GeoPoint, after: Id): Promise<Placed> {
    const product = await this.in(company).find(after, { deleted: true });
    const [longitude, latitude] = product?.default_position ?? [];
    if (longitude !== undefined && latitude !== undefined) {
      const away = metresBetween(place, { longitude, latitude });
      const play = Math.max(1, away * PRECISION);
      const ring = { minDistance: Math.max(0, away - play), maxDistance: away + play };
      const [found] = await this.run<Placed>([
        ...offeredAt(place, { _id: after, company }, ring),
        { $project: { away: 1 } },
      ]);
      if (found) return found;
    }
    throw fieldFault('after', 'after is not the id of a record of this list');
  }

  /** Number of products available at a place, up to 10,000. */
  async totalNear(company: Id, place: GeoPoint, filter: Filter): Promise<Total> {
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
