import fc from 'fast-check';

import { askedGrams, searchable } from './search-grams.js';

describe('the search index', () => {
  it('has the texts in lower case', () => {
    expect(searchable(['Kaffee-MÜHLE', 'ÉTÉ']).search_text).toBe('kaffee-mühle\0été');
  });

  it('never misses a text that contains the query', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (name, description, from, length) => {
        const { search_text, search_grams } = searchable([name, description]);
        const whole = (from % 2 === 0 ? name : description).toLowerCase();
        const query = whole.slice(from % (whole.length + 1), (from % (whole.length + 1)) + length);
        expect(search_text).toContain(query);
        expect(search_grams).toEqual(expect.arrayContaining(askedGrams(query)));
      }),
    );
  });

  it('has no trigrams that span two texts', () => {
    const { search_grams } = searchable(['ab', 'cd']);
    expect(search_grams).toEqual([]);
  });

  it('has each entry once and never more than 4,096', () => {
    const long = Array.from({ length: 16_384 }, (_, at) =>
      String.fromCharCode(0x4e00 + ((at * 7919) % 20_000)),
    );
    const { search_grams } = searchable(['aaaa aaaa', long.join('')]);
    expect(new Set(search_grams).size).toBe(search_grams.length);
    expect(search_grams.length).toBeLessThanOrEqual(4096);
    expect(search_grams.length).toBeGreaterThan(3500);
  });

  it('keeps different texts apart', () => {
    const words = ['espresso', 'machine', 'kettle', 'grinder', 'scale', 'tamper'];
    const shared = words.flatMap((word) => askedGrams(word));
    expect(new Set(shared).size).toBeGreaterThan(shared.length - 4);
  });

  it('is not asked for fewer than three characters, nor for all of a long text', () => {
    expect(askedGrams('ab')).toEqual([]);
    expect(askedGrams('abc')).toHaveLength(1);
    expect(askedGrams('abcdefghijklmnopqrstuvwxyz'.repeat(4))).toHaveLength(12);
  });
});
