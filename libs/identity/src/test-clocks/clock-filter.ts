import type { Filter, Id } from '@commerce/records';

/** Whose time a list is about. */
export interface ClockQuery {
  readonly test_clock: Id | null;
  readonly real_time: boolean | null;
}

/** Narrows what names its `test_clock`, null in real time, to one clock, or to real time or what is not. */
export function clockFilter({ test_clock, real_time }: ClockQuery): Filter {
  if (real_time === null) return test_clock === null ? {} : { test_clock };
  // Both at once exclude each other, or say the same.
  if (real_time) return { test_clock: test_clock === null ? null : { $in: [] } };
  return { test_clock: test_clock ?? { $ne: null } };
}
