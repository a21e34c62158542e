import { isFault } from '@commerce/kernel';
import { parseQuery, type PageQuery } from '@commerce/records';

import {
  ListProductsQuery,
  TaggedProductsQuery,
  placeOf,
  productPage,
  tagsOf,
  type GeoPoint,
} from './product-query.js';
import { visibilityFor } from './product-visibility.js';

function readProductQuery(raw: Record<string, unknown>): { page: PageQuery; near: GeoPoint | null } {
  const query = parseQuery(ListProductsQuery, raw);
  return { page: productPage({ seesInactive: true, seesDeleted: true }, query), near: placeOf(query) };
}

function readTags(raw: Record<string, unknown>): string[] {
  return tagsOf(parseQuery(TaggedProductsQuery, raw));
}

describe('a caller who is not an admin', () => {
  const asked = (raw: Record<string, unknown>, hide_inactive_products: boolean): unknown =>
    productPage(visibilityFor('anonymous', { hide_inactive_products }), parseQuery(ListProductsQuery, raw))
      .filter;

  it('lists inactive products, too', () => {
    expect(asked({}, false)).toEqual({ deleted: false });
    expect(asked({ active: 'false' }, false)).toEqual({ deleted: false, active: false });
  });

  it('lists active products only where the company hides the others', () => {
    expect(asked({}, true)).toEqual({ deleted: false, active: true });
    expect(asked({ active: 'true' }, true)).toEqual({ deleted: false, active: true });
  });

  it.each([
    [{ active: 'false' }, true],
    [{ include_deleted: 'true' }, true],
    [{ include_deleted: 'true' }, false],
  ])('may not ask for %j where hiding is %s', (raw, hidden) => {
    expect(() => asked(raw, hidden)).toThrow(expect.objectContaining({ code: 'role.forbidden' }));
  });
});

function refused(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!isFault(error, 'value.invalid')) throw error;
    return (error.details.errors ?? []).map(({ path }) => path);
  }
}

describe('a list of products', () => {
  it('omits deleted products unless they are requested', () => {
    expect(readProductQuery({}).page.filter).toEqual({ deleted: false });
    expect(readProductQuery({ include_deleted: 'true' }).page.filter).toEqual({});
    expect(readProductQuery({ active: 'true' }).page.filter).toEqual({ deleted: false, active: true });
  });

  it('accepts a place', () => {
    expect(readProductQuery({ latitude: '52.52', longitude: '-13.405' }).near).toEqual({
      latitude: 52.52,
      longitude: -13.405,
    });
    expect(readProductQuery({}).near).toBeNull();
  });

  it.each([
    [['latitude'], { latitude: '91', longitude: '0' }],
    [['longitude'], { latitude: '0', longitude: '-180.1' }],
    [['latitude', 'longitude'], { latitude: 'NaN', longitude: 'x' }],
    [['longitude'], { latitude: '1' }],
    [['latitude'], { longitude: '1' }],
    [['latitude'], { latitude: '1e1', longitude: '0' }],
  ])('refuses a bad %s', (paths, raw) => {
    expect(refused(() => readProductQuery(raw))).toEqual(paths);
  });
});

describe('the tags of a query', () => {
  it('may be given several times, or with commas', () => {
    expect(readTags({ tags: ['a', 'b'] })).toEqual(['a', 'b']);
    expect(readTags({ tags: 'a,b,,a' })).toEqual(['a,b,,a', 'a', 'b']);
  });

  it('are at least one', () => {
    for (const tags of [undefined, '', [''], { $ne: 'a' }]) {
      expect(refused(() => readTags({ tags }))).toEqual(['tags']);
    }
  });
});
