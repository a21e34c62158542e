import { newId } from '@commerce/records';

import { clockFilter } from './clock-filter.js';

describe('clockFilter', () => {
  const clock = newId();

  it.each([
    [null, null, {}],
    [clock, null, { test_clock: clock }],
    [null, true, { test_clock: null }],
    [null, false, { test_clock: { $ne: null } }],
    [clock, false, { test_clock: clock }],
    [clock, true, { test_clock: { $in: [] } }],
  ])('of clock %s and real time %s', (test_clock, real_time, filter) => {
    expect(clockFilter({ test_clock, real_time })).toEqual(filter);
  });
});
