import type { TermInput } from '../../src/domain/calendar/term.js';
import type { ScenarioFixture } from '../fixture.js';
import { HOUR } from '../random-scenario.js';

/** The end that a subscription starts with: hours after its start, or a number of price intervals. */
export type ModelEnd = { readonly hours: number } | { readonly intervals: number };

export interface ModelFixture extends ScenarioFixture {
  /** Absent where it lasts until it is stopped. */
  readonly end?: ModelEnd;
}

/** The end as a start gets it. */
export function termOf(end: ModelEnd, start: number): TermInput {
  return 'hours' in end
    ? { ending_date: new Date(start + end.hours * HOUR) }
    : { interval_total: end.intervals };
}
