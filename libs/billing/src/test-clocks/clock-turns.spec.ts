import { newId } from '@commerce/records';

import { inTurns, restMs } from './clock-turns.js';

describe('inTurns', () => {
  it('lets the first clock of every company come before the second of any', () => {
    const [many, one] = [newId(), newId()];
    const clocks = [many, many, many, one].map((company) => ({ company }));
    expect(inTurns(clocks).map(({ company, turn }) => [company === one, turn])).toEqual([
      [false, 0],
      [true, 0],
      [false, 1],
      [false, 2],
    ]);
  });
});

describe('restMs', () => {
  it('doubles with every run without progress, up to eight seconds or ten minutes', () => {
    expect([0, 1, 2, 3, 4, 99].map((runs) => restMs('waits', runs))).toEqual([
      1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    expect([0, 9, 10, 99].map((runs) => restMs('fails', runs))).toEqual([1000, 512_000, 600_000, 600_000]);
  });
});
