import { fault, fieldFault, type Fault } from '@commerce/kernel';
import {
  sortsOf,
  Decimal,
  Flag,
  Texts,
  listQuery,
  pageOf,
  type Filter,
  type PageQuery,
} from '@commerce/records';

import { SearchText } from '../search/search-query.js';
import type { ProductVisibility } from './product-visibility.js';
import { ProductRecord } from './product.record.js';

/** A place on earth, in degrees. */
export interface GeoPoint {
  readonly longitude: number;
  readonly latitude: number;
}

export class ListProductsQuery extends listQuery({
  sortable: sortsOf(ProductRecord),
  sort: '-created',
  dates: ['created', 'modified'],
  orderedBy: ['latitude', 'longitude'],
}) {
  @Decimal({
    optional: true,
    min: -90,
    max: 90,
    description: 'with longitude and without sort: products offered there, nearest first',
  })
  latitude: number | null;

  @Decimal({ optional: true, min: -180, max: 180, description: 'with latitude' })
  longitude: number | null;

  @Flag({ default: false, description: 'deleted ones, too; for admins only' })
  include_deleted: boolean;

  @Flag({
    optional: true,
    description: 'only those that are active, or only those that are not',
  })
  active: boolean | null;
}

export class SearchProductsQuery extends ListProductsQuery {
  @SearchText()
  query: string;
}

const MAX_TAGS = 100;

export class TaggedProductsQuery extends ListProductsQuery {
  @Texts({
    max: MAX_TAGS,
    length: MAX_TAGS * 65,
    description: 'any of these tags: given several times, or separated by commas',
  })
  tags: string[];
}

/**
 * The page of products that a query asks for. Its narrowing fields come first, as some servers choose an index by the
 * first field.
 * @throws Fault `role.forbidden` where the query asks for products that the caller may not read
 */
export function productPage(
  { seesDeleted, seesInactive }: ProductVisibility,
  query: ListProductsQuery,
  narrowing: Filter = {},
): PageQuery {
  if (query.include_deleted && !seesDeleted) throw adminsOnly('Deleted');
  if (query.active === false && !seesInactive) throw adminsOnly('Inactive');
  const active = seesInactive ? query.active : true;
  return pageOf(query, {
    ...narrowing,
    ...(query.include_deleted ? {} : { deleted: false }),
    ...(active === null ? {} : { active }),
  });
}

function adminsOnly(kind: string): Fault {
  return fault('role.forbidden', `${kind} products are shown to service accounts only`);
}

/** The place in a query; null when it names none. */
export function placeOf({ latitude, longitude }: ListProductsQuery): GeoPoint | null {
  if (latitude !== null && longitude !== null) return { latitude, longitude };
  if (latitude === null && longitude === null) return null;
  throw fieldFault(latitude === null ? 'latitude' : 'longitude', 'latitude and longitude go together');
}

/** The tags of a query: each as given, because a tag may contain a comma, and each part of it. */
export function tagsOf({ tags: given }: TaggedProductsQuery): string[] {
  const all = given.flatMap((text) => [text, ...text.split(',')]);
  const tags = [...new Set(all)].filter((tag) => tag !== '');
  if (tags.length === 0 || tags.length > MAX_TAGS) {
    throw fieldFault('tags', `tags must name 1 to ${String(MAX_TAGS)} tags`);
  }
  return tags;
}
