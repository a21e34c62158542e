import fc from 'fast-check';

import { askedKeys, fieldOf, inFields, longKey, searchable } from './search-keys.js';

const SCOPE = '65b9a1c2d3e4f5061728394a/product';

/** Whether the index finds the texts by a query in lower case. */
function isFound(texts: readonly string[], query: string): boolean {
  const { keys, isLong } = searchable(SCOPE, texts);
  const { first, last, bucket } = askedKeys(SCOPE, query);
  if (isLong) return inFields(keys)[fieldOf(bucket)]?.includes(bucket) ?? false;
  return inFields(keys)[fieldOf(first)]?.some((key) => key >= first && key <= last) ?? false;
}

const MAX_KEYS = 4097;

/** The maximum lengths of a name and a description, with characters that hardly recur. */
const longest = [256, 16_384].map((length) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join(''),
);

const words =
  'A kettle of brushed steel holds 1.7 litres, boils in 3 minutes and keeps water warm for an hour. The lid opens easily; the cable, 75 cm long, winds up under the base. The handle stays cool. With a filter against lime; two years of warranty.';

/** Texts with case, accents, emoji and characters that recur. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', 'é', 'É', 'ß', 'İ', 'Σ', '😀', '👩‍👧', '1', ' '),
    maxLength: 80,
  }),
  fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 80 }),
);

describe('the search index', () => {
  it('has the texts in lower case', () => {
    expect(searchable(SCOPE, ['Kaffee-MÜHLE', 'ÉTÉ']).text).toBe('kaffee-mühle\0été');
  });

  it('never misses a text that contains the query, which is at most 128 characters long', () => {
    const part = fc.record({ from: fc.nat(), length: fc.integer({ min: 1, max: 128 }) });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.nat(), part, (texts, which, cut) => {
        const whole = texts[which % texts.length]?.toLowerCase() ?? '';
        const from = cut.from % (whole.length + 1);
        const query = whole.slice(from, from + cut.length);
        fc.pre(query !== '');
        expect(searchable(SCOPE, texts).text).toContain(query);
        expect(isFound(texts, query)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('never misses a part of a very long text either', () => {
    const [name = '', description = ''] = longest;
    expect(searchable(SCOPE, [name, description]).isLong).toBe(true);
    fc.assert(
      fc.property(fc.nat(description.length - 41), fc.integer({ min: 1, max: 40 }), (from, length) => {
        expect(isFound([name, description], description.slice(from, from + length))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  it('has at most one key for each character: 240 for a product of 240', () => {
    expect(words).toHaveLength(240);
    expect(searchable(SCOPE, [words.slice(0, 40), words.slice(40)]).keys.length).toBeLessThanOrEqual(240);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
        const characters = texts.join('').toLowerCase().length;
        expect(searchable(SCOPE, texts).keys.length).toBeLessThanOrEqual(characters);
      }),
    );
  });

  it('has at most 4,097 keys of the longest allowed texts, each once', () => {
    const prose = words.repeat(68).slice(0, 16_384);
    const numbered = Array.from({ length: 2500 }, (_, at) => `${String(at * 7919)} `).join('');
    for (const texts of [longest, [prose], [numbered], ['x'.repeat(16_384)], ['😀é'.repeat(5461)]]) {
      const { keys } = searchable(SCOPE, texts);
      expect(new Set(keys).size).toBe(keys.length);
      expect(keys.length).toBeLessThanOrEqual(MAX_KEYS);
    }
    expect(searchable(SCOPE, ['x'.repeat(16_384)]).keys).toHaveLength(12);
  });

  it('has whole numbers only, which a double holds exactly', () => {
    const made = [searchable(SCOPE, [words]), searchable(SCOPE, longest)];
    for (const { keys } of made) for (const key of keys) expect(Number.isSafeInteger(key)).toBe(true);
  });

  it('has the keys in four fields, none with much more than its share', () => {
    for (const texts of [[words], longest]) {
      const { keys } = searchable(SCOPE, texts);
      const fields: number[][] = Object.values(inFields(keys));
      expect(fields.flat().sort()).toEqual([...keys].sort());
      expect(fields).toHaveLength(4);
      for (const field of fields) expect(field.length).toBeLessThan(keys.length / 2);
    }
  });

  it('separates very long texts from all others', () => {
    expect(searchable(SCOPE, longest).keys).toContain(longKey(SCOPE));
    expect(searchable(SCOPE, [words]).keys).not.toContain(longKey(SCOPE));
    const { first, last } = askedKeys(SCOPE, 'ste');
    expect(searchable(SCOPE, longest).keys.filter((key) => key >= first && key <= last)).toEqual([]);
  });

  it('has no key that spans two texts', () => {
    expect(isFound(['ab', 'cd'], 'bc')).toBe(false);
    expect(isFound(['ab', 'cd'], 'abcd')).toBe(false);
  });

  it('finds hardly any text without the query, for queries of an id, six letters, or a number among words', () => {
    const ids = Array.from({ length: 60 }, (_, at) => ((at + 1) * 0x9e3779b1).toString(16).slice(-8));
    const made = ids.map((id) => searchable(SCOPE, [`${words} ${id}${id} in steel`]));
    const spurious = (query: string): number => {
      const { first, last } = askedKeys(SCOPE, query);
      const found = made.filter(({ keys }) => keys.some((key) => key >= first && key <= last));
      return found.filter((one) => !one.text.includes(query)).length;
    };
    const all = (query: (id: string) => string): number =>
      ids.reduce((sum, id) => sum + spurious(query(id)), 0) / ids.length;
    expect(all((id) => id + id)).toBeLessThan(0.1);
    expect(all((id) => id.slice(1, 7))).toBeLessThan(1);
    expect(all((id) => `warranty. ${id}`)).toBeLessThan(1);
  });

  it('keeps the scopes apart', () => {
    const { first, last } = askedKeys('65b9a1c2d3e4f5061728394b/product', 'kettle');
    expect(searchable(SCOPE, [words]).keys.filter((key) => key >= first && key <= last)).toEqual([]);
  });
});
