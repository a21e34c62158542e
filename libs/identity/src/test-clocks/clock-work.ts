import { providerMark } from '@commerce/platform';

import type { TestClockRecord } from './test-clock.record.js';

/** Work that falls due on test clocks beside the billing of subscriptions. */
export interface ClockWork {
  /** Does the work due on a clock up to a date: in order, each at its own date. */
  runUntil(clock: TestClockRecord, date: Date): Promise<void>;
}

/** Marks a provider whose work falls due on test clocks. */
export const RunsOnTestClocks = providerMark<ClockWork>();
