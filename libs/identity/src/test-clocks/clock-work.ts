import { providerMark } from '@commerce/platform';

import type { TestClockRecord } from './test-clock.record.js';

/** Work that falls due on test clocks beside the billing of subscriptions. */
export interface ClockWork {
  /** Does what falls due on a clock up to a date: in the order of the dates, each at its own. */
  runUntil(clock: TestClockRecord, date: Date): Promise<void>;
}

/** Marks a provider whose work falls due on test clocks. */
export const RunsOnTestClocks = providerMark<ClockWork>();
