import { isFault } from '@commerce/kernel';
import { newId } from '@commerce/platform';

import { containing, idsMeant, readProductQuery, readSearch, readTags } from './product-query.js';

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
  it('leaves out deleted products unless they are asked for', () => {
    expect(readProductQuery({}).page.filter).toEqual({ deleted: false });
    expect(readProductQuery({ include_deleted: 'true' }).page.filter).toEqual({});
    expect(readProductQuery({ active: 'true' }).page.filter).toEqual({ deleted: false, active: true });
  });

  it('takes a place', () => {
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

describe('a search of products', () => {
  it('is case-insensitive by lower case', () => {
    expect(readSearch({ query: 'KaFFee İ' })).toBe('kaffee i̇');
  });

  it('has 1 to 128 characters, a pair of surrogates being one', () => {
    expect(refused(() => readSearch({ query: '😀'.repeat(128) }))).toEqual([]);
    for (const query of ['', 'x'.repeat(129), undefined, ['a', 'b'], 'a\0', '\ud83d']) {
      expect(refused(() => readSearch({ query }))).toEqual(['query']);
    }
  });

  it('takes the query as text, never as a pattern', () => {
    const company = newId();
    expect(containing('(a+)+$', company)['search_text']).toEqual({ $regex: '\\(a\\+\\)\\+\\$' });
    expect(containing('.*[x]{2}\\d|^?', company)['search_text']).toEqual({
      $regex: '\\.\\*\\[x\\]\\{2\\}\\\\d\\|\\^\\?',
    });
  });

  it('goes by the index from three characters on', () => {
    const company = newId();
    expect(Object.keys(containing('abc', company))).toEqual(['search_grams', 'company', 'search_text']);
    expect(Object.keys(containing('ab', company))).toEqual(['company', 'search_text']);
  });

  it('recognises what may be an id as a whole', () => {
    expect(idsMeant('65b9a1c2d3e4f5061728394a').id?.toHexString()).toBe('65b9a1c2d3e4f5061728394a');
    expect(idsMeant('ab2c3d').human_id).toBe('AB2C3D');
    expect(idsMeant('65b9a1c2d3e4f5061728394')).toEqual({ id: null, human_id: null });
  });
});

describe('tags to look for', () => {
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
