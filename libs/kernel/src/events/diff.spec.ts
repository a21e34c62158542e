import fc from 'fast-check';

import { diff, type PlainObject } from './diff.js';

describe('diff', () => {
  it('gives the changed fields with their values before and after', () => {
    expect(diff({ a: 1, b: { c: [1] }, d: 4 }, { a: 1, b: { c: [2] }, e: 5 })).toEqual({
      previous: { b: { c: [1] }, d: 4, e: null },
      current: { b: { c: [2] }, d: null, e: 5 },
    });
  });

  it('treats a missing field as null', () => {
    expect(diff({ a: null }, {})).toEqual({ previous: {}, current: {} });
  });

  it('ignores fields that change with every write', () => {
    expect(diff({ updated: 1, a: 1 }, { updated: 2, a: 1 }, new Set(['updated'])).current).toEqual({});
  });

  it('leads from before to after', () => {
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(object, object, (before, after) => {
        const { previous, current } = diff(before, after);
        const nullsAside = (value: PlainObject): PlainObject =>
          Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
        expect(nullsAside({ ...before, ...current })).toEqual(nullsAside(after as PlainObject));
        expect(nullsAside({ ...after, ...previous })).toEqual(nullsAside(before as PlainObject));
      }),
    );
  });
});
