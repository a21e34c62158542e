import fc from 'fast-check';

import { IS_COARSE, askedGrams, searchable } from './search-grams.js';

const fine = (text: string): number => askedGrams(text).fine;

/** More different grams than are kept. */
const long = Array.from({ length: 16_384 }, (_, at) =>
  String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
).join('');

describe('the search index', () => {
  it('has the texts in lower case', () => {
    expect(searchable(['Kaffee-MÜHLE', 'ÉTÉ']).text).toBe('kaffee-mühle\0été');
  });

  it('never misses a text that contains the query', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    const part = fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 80 }) });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(), part, (texts, which, cut) => {
        const whole = texts[which % texts.length]?.toLowerCase() ?? '';
        const from = cut.from % (whole.length + 1);
        const query = whole.slice(from, from + cut.length);
        fc.pre(query !== '');
        const { text: joined, grams } = searchable(texts);
        expect(joined).toContain(query);
        expect(grams).toContain(fine(query));
      }),
      { numRuns: 2000 },
    );
  });

  it('never misses a part of a very long text either', () => {
    const { grams } = searchable([long]);
    fc.assert(
      fc.property(fc.nat(long.length - 41), fc.integer({ min: 1, max: 40 }), (from, length) => {
        expect(grams).toContain(askedGrams(long.slice(from, from + length)).coarse);
      }),
    );
  });

  it('has no gram that spans two texts', () => {
    const { grams } = searchable(['ab', 'cd']);
    const own = ['a', 'b', 'c', 'd', 'ab', 'cd'].map(fine);
    expect(grams).toEqual([...new Set(own)].sort((a, b) => a - b));
  });

  it('has each entry once and never more than 8,192', () => {
    for (const texts of [['aaaa aaaa'], [long], ['x'.repeat(16_384)]]) {
      const { grams } = searchable(texts);
      expect(new Set(grams).size).toBe(grams.length);
      expect(grams.length).toBeLessThanOrEqual(8192);
    }
    expect(searchable([long]).grams.length).toBeGreaterThan(3500);
  });

  it('tells fine and coarse entries apart', () => {
    expect(Math.min(...searchable(['espresso machine']).grams)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...searchable([long]).grams)).toBeLessThan(0);
    expect(searchable([long]).grams).toContain(IS_COARSE);
  });

  it('has at most four entries for each character', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 500 }), (text) => {
        expect(searchable([text]).grams.length).toBeLessThanOrEqual(4 * text.length);
      }),
    );
  });

  it('finds few others for an id', () => {
    const ids = Array.from({ length: 100 }, (_, at) =>
      [1, 2, 3].map((part) => ((at + 1) * part * 0x9e3779b1).toString(16).slice(-8)).join(''),
    );
    const index = ids.map((id) => new Set(searchable([id]).grams));
    const others = ids.map((id) => index.filter((grams) => grams.has(fine(id))).length - 1);
    expect(others.reduce((sum, count) => sum + count, 0) / ids.length).toBeLessThan(2);
  });
});
