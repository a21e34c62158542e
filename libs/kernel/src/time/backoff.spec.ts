import { backoffMs } from './backoff.js';

describe('backoffMs', () => {
  it('doubles up to the longest wait, after any number of failures', () => {
    const waits = [0, 1, 2, 3, 4, 5000].map((before) => backoffMs(before, { firstMs: 500, longestMs: 7000 }));
    expect(waits).toEqual([500, 1000, 2000, 4000, 7000, 7000]);
  });

  it('grows by the given factor', () => {
    const rule = { firstMs: 4, factor: 1.5, longestMs: 250 };
    expect([0, 1, 2, 99].map((before) => backoffMs(before, rule))).toEqual([4, 6, 9, 250]);
  });
});
