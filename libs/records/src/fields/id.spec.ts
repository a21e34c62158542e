import { newId, type Id } from './id.js';

const secondOf = (id: Id): number => id.getTimestamp().getTime();
const randomOf = (id: Id): bigint => BigInt(`0x${id.toHexString().slice(8)}`);

describe('the ids of new records', () => {
  const ids = Array.from({ length: 5000 }, newId);
  const pairs = ids.slice(1).flatMap((id, index) => {
    const before = ids[index] as Id;
    return secondOf(id) === secondOf(before) ? [randomOf(id) - randomOf(before)] : [];
  });

  it('ascend in the order of creation', () => {
    const hex = ids.map((id) => id.toHexString());
    expect([...hex].sort()).toEqual(hex);
    expect(new Set(hex).size).toBe(ids.length);
  });

  it('do not count up: the next one is a random step away', () => {
    expect(pairs.length).toBeGreaterThan(1000);
    expect(new Set(pairs).size).toBe(pairs.length);
    const near = pairs.filter((step) => step < 2n ** 36n);
    expect(near.length / pairs.length).toBeLessThan(0.01);
  });

  it('have their second, and nothing of the process that made them', () => {
    const [first] = ids as [Id];
    expect(Math.abs(secondOf(first) - Date.now())).toBeLessThan(60_000);
    const starts = new Set(ids.map((id) => id.toHexString().slice(8, 18)));
    expect(starts.size).toBeGreaterThan(1000);
  });
});
