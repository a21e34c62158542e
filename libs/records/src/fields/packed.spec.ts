import fc from 'fast-check';
import { mongo } from 'mongoose';

import { newId } from './id.js';
import { pack, unpack } from './packed.js';

/** A value as the database returns it. */
function stored(value: unknown): unknown {
  return mongo.BSON.deserialize(mongo.BSON.serialize({ value: pack(value) }))['value'];
}

describe('Packed values', () => {
  it('come back as they were, ids and dates included', () => {
    const lines = fc.array(
      fc.record({
        id: fc.constant(newId()),
        at: fc.date({ noInvalidDate: true }),
        price: fc.double({ noNaN: true }),
        count: fc.maxSafeInteger(),
        name: fc.string({ unit: 'grapheme' }),
        none: fc.constant(null),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(lines, (value) => {
        const plain = mongo.BSON.deserialize(mongo.BSON.serialize({ value }))['value'];
        expect(unpack(stored(value))).toEqual(plain);
      }),
    );
  });

  it('are smaller where they are large and repeat themselves, and readable where they are small', () => {
    const lines = Array.from({ length: 500 }, (_, n) => ({
      product: newId(),
      name: `Tea ${String(n)}`,
      price: n,
    }));
    const packed = pack(lines) as mongo.Binary;
    expect(packed.length()).toBeLessThan(mongo.BSON.calculateObjectSize({ lines }) / 3);
    expect(pack(lines.slice(0, 5))).toEqual(lines.slice(0, 5));
    expect(unpack(stored('x'.repeat(10_000)))).toBe('x'.repeat(10_000));
    expect([pack(null), pack(1), pack(undefined)]).toEqual([null, 1, undefined]);
  });
});
