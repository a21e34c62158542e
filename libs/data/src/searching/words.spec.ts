import fc from 'fast-check';

import { askedWords, wordsOf } from './words.js';

describe('wordsOf', () => {
  it.each([
    [['Grace Hopper'], ['grace', 'hopper']],
    [['grace@navy.example.com'], ['grace@navy.example.com', 'navy.example.com', 'example.com', 'com']],
    [
      ['Jean-Luc', null, undefined, ''],
      ['jean-luc', 'luc'],
    ],
    [["Conan O'Brien"], ['conan', "o'brien", 'brien']],
    [
      ['José Ångström', 'JOSE'],
      ['jose', 'angstrom'],
    ],
    [['(crm) #4711'], ['(crm)', 'crm)', '#4711', '4711']],
  ])('of %j', (texts, words) => {
    expect(wordsOf(texts)).toEqual(words);
  });

  it('are bounded in number and length', () => {
    const words = wordsOf([
      Array.from({ length: 300 }, (_, index) => `${String(index)}${'x'.repeat(90)}`).join(' '),
    ]);
    expect(words.length).toBe(48);
    expect(Math.max(...words.map((word) => word.length))).toBe(64);
  });

  it('hold the beginning of each word of their texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 10 }), { maxLength: 3 }), (texts) => {
        const words = wordsOf(texts);
        for (const asked of askedWords(texts.join(' '))) expect(words).toContain(asked);
      }),
    );
  });
});
