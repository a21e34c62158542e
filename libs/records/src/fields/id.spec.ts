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

  it('are not found by counting up: each of the 48 bits of a step is random', () => {
    expect(pairs.length).toBeGreaterThan(1000);
    const steps = pairs.map((step) => step - 1n);
    for (let bit = 0n; bit < 48n; bit += 1n) {
      const set = steps.filter((step) => (step >> bit) % 2n === 1n).length;
      // Eight standard deviations.
      expect(Math.abs(set / steps.length - 0.5)).toBeLessThan(4 / Math.sqrt(steps.length));
    }
    expect(steps.every((step) => step >= 0n && step < 2n ** 48n)).toBe(true);
  });

  it('lie so far apart that all requests which an API key permits find none in 40,000 years', () => {
    const mean = pairs.reduce((sum, step) => sum + Number(step), 0) / pairs.length;
    const requests = 100 * 365 * 86_400 * 40_000;
    expect(mean).toBeGreaterThan(requests);
  });

  it('have their second, and nothing of the process that made them', () => {
    const [first] = ids as [Id];
    expect(Math.abs(secondOf(first) - Date.now())).toBeLessThan(60_000);
    const starts = new Set(ids.map((id) => id.toHexString().slice(8, 18)));
    expect(starts.size).toBeGreaterThan(1000);
  });
});
