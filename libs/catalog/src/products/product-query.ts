import { Fault, fieldFault, type FieldError } from '@commerce/kernel';
import {
  readFlag,
  readPage,
  type Filter,
  type PageQuery,
  type PageRules,
  type RawQuery,
} from '@commerce/platform';

/** A place on earth, in degrees. */
export interface Place {
  readonly longitude: number;
  readonly latitude: number;
}

/** What a list of products is asked for; with a place, it holds the products offered there, nearest first. */
export interface ProductQuery {
  readonly page: PageQuery;
  readonly near: Place | null;
}

const PARAMETERS = ['latitude', 'longitude', 'include_deleted', 'active'];

const RULES: PageRules = {
  sortable: ['created', 'modified', 'name', 'price'],
  sort: '-created',
  dates: { created: 'created', modified: 'modified' },
};

const MAX_TAGS = 100;

/**
 * Reads the query of a list; `others` are the parameters that this list takes beside the usual ones.
 * @throws Fault `value.invalid` naming each bad parameter
 */
export function readProductQuery(raw: RawQuery, others: readonly string[] = []): ProductQuery {
  const page = readPage(raw, { ...RULES, others: [...PARAMETERS, ...others] });
  const active = readFlag(raw, 'active');
  const filter: Filter = {
    ...page.filter,
    ...(readFlag(raw, 'include_deleted') === true ? {} : { deleted: false }),
    ...(active === null ? {} : { active }),
  };
  return { page: { ...page, filter }, near: readPlace(raw) };
}

/** Narrows a query. The narrowing stands first: some servers choose the index by the first field. */
export function narrowed(query: ProductQuery, filter: Filter): ProductQuery {
  return { ...query, page: { ...query.page, filter: { ...filter, ...query.page.filter } } };
}

/** The tags that are asked for: given several times, or separated by commas, or one that itself has commas. */
export function readTags(raw: RawQuery): string[] {
  const given: readonly unknown[] = Array.isArray(raw['tags']) ? raw['tags'] : [raw['tags']];
  const texts = given.filter((tag): tag is string => typeof tag === 'string' && tag !== '');
  const tags = [...new Set(texts.flatMap((text) => [text, ...text.split(',')]))].filter((tag) => tag !== '');
  if (tags.length === 0 || tags.length > MAX_TAGS) {
    throw fieldFault('tags', `tags must name 1 to ${String(MAX_TAGS)} tags`);
  }
  return tags;
}

function readPlace(raw: RawQuery): Place | null {
  const errors: FieldError[] = [];
  const read = (path: string, bound: number): number | null => {
    const value = raw[path];
    if (value === undefined) return null;
    const degrees = typeof value === 'string' && /^-?\d{1,3}(\.\d{1,20})?$/.test(value) ? Number(value) : NaN;
    if (Math.abs(degrees) <= bound) return degrees;
    const message = `${path} must be a number of degrees from -${String(bound)} to ${String(bound)}`;
    errors.push({ path, code: 'value.invalid', message });
    return null;
  };
  const latitude = read('latitude', 90);
  const longitude = read('longitude', 180);
  if (errors.length === 0 && (latitude === null) !== (longitude === null)) {
    const path = latitude === null ? 'latitude' : 'longitude';
    errors.push({ path, code: 'value.invalid', message: 'latitude and longitude go together' });
  }
  if (errors.length > 0) throw new Fault('value.invalid', errors[0]?.message ?? '', { errors });
  return latitude === null || longitude === null ? null : { latitude, longitude };
}
