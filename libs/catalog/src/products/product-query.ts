import { fault, fieldFault } from '@commerce/kernel';
import {
  sortsOf,
  Decimal,
  Flag,
  Texts,
  listQuery,
  pageOf,
  type Caller,
  type Filter,
  type PageQuery,
} from '@commerce/platform';

import { SearchText } from '../search/search-query.js';
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
}) {
  @Decimal({
    optional: true,
    min: -90,
    max: 90,
    description: 'with longitude: products offered there, nearest first',
  })
  latitude: number | null;

  @Decimal({ optional: true, min: -180, max: 180, description: 'with latitude' })
  longitude: number | null;

  @Flag({ default: false, description: 'deleted ones, too; for admins only' })
  include_deleted: boolean;

  @Flag({
    optional: true,
    description:
      'only those that are active, or only those that are not; others than admins see active ones only',
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
 * The page of products that a query asks for. The narrowing comes first: some servers go by the first field. Drafts,
 * that is inactive products, and deleted ones are shown to admins only.
 * @throws Fault `role.forbidden` where another caller asks for them
 */
export function productPage(
  { role }: Pick<Caller, 'role'>,
  query: ListProductsQuery,
  narrowing: Filter = {},
): PageQuery {
  const isAdmin = role === 'admin';
  if (!isAdmin && (query.include_deleted || query.active === false))
    throw fault('role.forbidden', 'Inactive and deleted products are shown to service accounts only');
  const active = isAdmin ? query.active : true;
  return pageOf(query, {
    ...narrowing,
    ...(query.include_deleted ? {} : { deleted: false }),
    ...(active === null ? {} : { active }),
  });
}

/** The place that a query asks about; null when it asks about none. */
export function placeOf({ latitude, longitude }: ListProductsQuery): GeoPoint | null {
  if (latitude !== null && longitude !== null) return { latitude, longitude };
  if (latitude === null && longitude === null) return null;
  throw fieldFault(latitude === null ? 'latitude' : 'longitude', 'latitude and longitude go together');
}

/** The tags that are asked for: each as it was given, for a tag may hold a comma, and each part of it. */
export function tagsOf({ tags: given }: TaggedProductsQuery): string[] {
  const all = given.flatMap((text) => [text, ...text.split(',')]);
  const tags = [...new Set(all)].filter((tag) => tag !== '');
  if (tags.length === 0 || tags.length > MAX_TAGS) {
    throw fieldFault('tags', `tags must name 1 to ${String(MAX_TAGS)} tags`);
  }
  return tags;
}
