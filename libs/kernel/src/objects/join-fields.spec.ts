import fc from 'fast-check';

import { isSame } from './is-same.js';
import { addFields, joinFields } from './join-fields.js';

const part = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(fc.integer()));

describe('fields of several objects', () => {
  it('are those of a literal of spreads, in its order', () => {
    fc.assert(
      fc.property(part, part, part, (a, b, c) => {
        const joined = joinFields(a, b, c);
        expect(Object.entries(joined)).toEqual(Object.entries({ ...a, ...b, ...c }));
      }),
    );
  });

  it('are added to an object that keeps its class', () => {
    class Named {
      name = 'Ada';
    }
    const named = new Named();
    expect(addFields(named, { name: 'Grace' }, { age: 1 })).toBe(named);
    expect(named).toEqual(Object.assign(new Named(), { name: 'Grace', age: 1 }));
  });
});

describe('two values', () => {
  const date = (ms: number): Date => new Date(ms);
  it.each([
    [1, 1, true],
    [1, 2, false],
    [NaN, NaN, true],
    [null, {}, false],
    [undefined, null, false],
    ['1', 1, false],
    [date(1), date(1), true],
    [date(1), date(2), false],
    [[{ a: date(1) }], [{ a: date(1) }], true],
    [{ a: 1 }, { a: 1, b: 1 }, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, { b: undefined }, false],
    [[1, 2], [1], false],
    [[], {}, false],
    [{}, Object.create(null), false],
    [{ a: date(1) }, { a: { ...date(1) } }, false],
    [Buffer.from('a'), Buffer.from('a'), true],
  ])('%p and %p: %p', (a, b, expected) => {
    expect([isSame(a, b), isSame(b, a)]).toEqual([expected, expected]);
  });
});
