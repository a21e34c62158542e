import { isFault } from '@commerce/kernel';
import { parseQuery } from '@commerce/records';

import { SearchText, idsMeant } from './search-query.js';

class SearchQuery {
  @SearchText()
  query: string;
}

function readSearch(raw: Record<string, unknown>): string {
  return parseQuery(SearchQuery, raw).query.toLowerCase();
}

function refused(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!isFault(error, 'value.invalid')) throw error;
    return (error.details.errors ?? []).map(({ path }) => path);
  }
}

describe('a search', () => {
  it('is case-insensitive', () => {
    expect(readSearch({ query: 'KaFFee İ' })).toBe('kaffee i̇');
  });

  it('has 1 to 128 characters, a surrogate pair counting as one', () => {
    expect(refused(() => readSearch({ query: '😀'.repeat(128) }))).toEqual([]);
    for (const query of ['', 'x'.repeat(129), undefined, ['a', 'b'], 'a\0', '\ud83d']) {
      expect(refused(() => readSearch({ query }))).toEqual(['query']);
    }
  });

  it('recognises a query that may be an id', () => {
    expect(idsMeant('65b9a1c2d3e4f5061728394a').id?.toHexString()).toBe('65b9a1c2d3e4f5061728394a');
    expect(idsMeant('ab2c3d').human_id).toBe('AB2C3D');
    expect(idsMeant('65b9a1c2d3e4f5061728394')).toEqual({ id: null, human_id: null });
  });
});
