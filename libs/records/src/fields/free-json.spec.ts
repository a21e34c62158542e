import fc from 'fast-check';

import { FreeJson } from './free-json.js';

const nested = (depth: number): unknown =>
  JSON.parse('{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1));

function refusal(value: unknown): string {
  try {
    FreeJson.of(value, 'properties');
    return 'taken';
  } catch (error) {
    const { details } = error as { details: { errors: { path: string; code: string }[] } };
    return `${details.errors[0]?.path} ${details.errors[0]?.code}`;
  }
}

describe('free JSON', () => {
  it('round-trips byte for byte, with any keys', () => {
    const text =
      '{"__proto__":{"x":1},"constructor":2,"prototype":{"a":3},"toString":"s","hasOwnProperty":null,' +
      '"$gt":{"$where":"1"},"a.b":[{"$oid":"65b9a1c2d3e4f5061728394a"},{"$date":1}],"":{"":""}}';
    const taken = FreeJson.of(JSON.parse(text), 'properties');
    expect(taken.text).toBe(text);
    expect(JSON.stringify(taken.value)).toBe(text);
    expect(JSON.stringify({ shown: FreeJson.stored(taken.text) })).toBe(`{"shown":${text}}`);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('gives back any JSON', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary', maxDepth: 8 }), (text) => {
        fc.pre(!/\\u0000|\\ud[89a-f]/i.test(text));
        const value = JSON.parse(text) as unknown;
        expect(FreeJson.of(value, 'p').text).toBe(JSON.stringify(value));
      }),
    );
  });

  it('is at most 32 levels deep', () => {
    expect(refusal(nested(32))).toBe('taken');
    expect(refusal(nested(33))).toBe('properties value.too_large');
    expect(refusal([nested(32)])).toBe('properties value.too_large');
  });

  it('refuses a depth that would exhaust the stack', () => {
    expect(refusal(nested(100_000))).toBe('properties value.too_large');
  });

  it('has at most 1,000 keys in all', () => {
    const keys = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 1]));
    expect(refusal(keys(1000))).toBe('taken');
    expect(refusal({ a: keys(500), b: keys(499) })).toBe('properties value.too_large');
  });

  it('is at most 64 KiB of UTF-8', () => {
    expect(refusal({ a: 'x'.repeat(65_528) })).toBe('taken');
    expect(refusal({ a: 'x'.repeat(65_529) })).toBe('properties value.too_large');
    expect(refusal({ a: 'é'.repeat(40_000) })).toBe('properties value.too_large');
  });

  it.each([
    ['NUL in a value', { a: 'x\0' }],
    ['NUL in a key', { 'a\0': 1 }],
    ['half of a surrogate pair', { a: ['\ud83d'] }],
    ['a number beyond a double', { a: JSON.parse('1e400') as unknown }],
  ])('refuses %s', (_, value) => {
    expect(refusal(value)).toBe('properties value.invalid');
  });

  it('accepts unusual but valid values', () => {
    expect(refusal({ a: '👩‍👩‍👧‍👦 ‮ é é \r\n', b: [null, true, -0, 5e-324] })).toBe('taken');
  });
});
