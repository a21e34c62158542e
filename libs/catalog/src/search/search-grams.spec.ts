import fc from 'fast-check';

import { askedGrams, searchable } from './search-grams.js';

describe('the search index', () => {
  it('has the texts in lower case', () => {
    expect(searchable(['Kaffee-MÜHLE', 'ÉTÉ']).text).toBe('kaffee-mühle\0été');
  });

  it('never misses a text that contains the query', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (name, description, from, length) => {
        const { text: joined, grams } = searchable([name, description]);
        const whole = (from % 2 === 0 ? name : description).toLowerCase();
        const query = whole.slice(from % (whole.length + 1), (from % (whole.length + 1)) + length);
        expect(joined).toContain(query);
        expect(grams).toEqual(expect.arrayContaining(askedGrams(query)));
      }),
    );
  });

  it('has no grams that span two texts', () => {
    const { grams } = searchable(['ab', 'cd']);
    const own = ['a', 'b', 'c', 'd', 'ab', 'cd'].flatMap((text) => askedGrams(text));
    expect(grams).toEqual([...new Set(own)].sort((a, b) => a - b));
  });

  it('has each entry once and never more than 4,096', () => {
    const long = Array.from({ length: 16_384 }, (_, at) =>
      String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
    );
    const { grams } = searchable(['aaaa aaaa', long.join('')]);
    expect(new Set(grams).size).toBe(grams.length);
    expect(grams.length).toBeLessThanOrEqual(4096);
    expect(grams.length).toBeGreaterThan(3500);
  });

  it('keeps different texts apart', () => {
    const words = ['espresso', 'machine', 'kettle', 'grinder', 'scale', 'tamper'];
    const shared = words.flatMap((word) => askedGrams(word));
    expect(new Set(shared).size).toBeGreaterThan(shared.length - 4);
  });

  it('is asked for queries of any length, but not for all of a long one', () => {
    expect(askedGrams('a')).toHaveLength(1);
    expect(askedGrams('ab')).toHaveLength(1);
    expect(askedGrams('abc')).toHaveLength(1);
    expect(askedGrams('abcdefghijklmnopqrstuvwxyz'.repeat(4))).toHaveLength(12);
  });
});
