import type { Filter, Id } from '@commerce/records';

/** Restricts a list to a test clock or to real time. */
export interface ClockQuery {
  readonly test_clock: Id | null;
  readonly real_time: boolean | null;
}

/** Filters records by `test_clock`, which is null in real time: one clock, real time, any clock, or no filter. */
export function clockFilter({ test_clock, real_time }: ClockQuery): Filter {
  if (real_time === null) return test_clock === null ? {} : { test_clock };
  // Together the two exclude each other or agree.
  if (real_time) return { test_clock: test_clock === null ? null : { $in: [] } };
  return { test_clock: test_clock ?? { $ne: null } };
}
