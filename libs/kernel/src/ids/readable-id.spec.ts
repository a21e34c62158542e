import { randomBytes } from 'node:crypto';

import { READABLE_ALPHABET, readableId } from './readable-id.js';

describe('a readable id', () => {
  it('has six characters that are not easily confused', () => {
    for (let turn = 0; turn < 1000; turn += 1) {
      expect(readableId(randomBytes)).toMatch(/^[2-9A-HJKMNP-Z]{6}$/);
    }
    expect(READABLE_ALPHABET).not.toMatch(/[01ILO]/);
  });

  it('discards bytes that would favour the first letters', () => {
    const drawn = [255, 254, 250, 249, 248, 247, 0, 30, 31, 61, 62];
    const alphabet = READABLE_ALPHABET;
    const last = alphabet.charAt(30);
    expect(readableId(() => Uint8Array.from(drawn))).toBe(`${last}2${last}2${last}2`);
  });

  it('reads more bytes until it is long enough', () => {
    const draws = [Uint8Array.of(255, 255), Uint8Array.of(0, 1), Uint8Array.of(2, 3, 4, 5, 6)];
    expect(readableId(() => draws.shift() ?? new Uint8Array())).toBe('234567');
  });
});
