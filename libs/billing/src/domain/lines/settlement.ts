import { earlier } from '../calendar/schedule.js';

/** When the periods of a line are collected. */
export type Timing = 'advance' | 'arrears';

/** What makes the difference of a period worth taking. */
export type Cause =
  | 'period_begins'
  | 'period_ends'
  | 'changed'
  | 'broken_off'
  | 'paused'
  | 'resumed'
  | 'stopped'
  | 'put_off';

/** The dates that a cause may wait for: its own, the end of the part that was charged, and that of the period. */
export interface CauseDates {
  readonly at: Date;
  readonly charged_until: Date;
  readonly period_end: Date;
}

type When = keyof CauseDates;

/** When the difference is taken. `broken_off`: by another calendar. `put_off`: an end, after a part was charged. */
const TAKEN: Readonly<Record<Cause, Readonly<Record<Timing, When | null>>>> = {
  period_begins: { advance: 'at', arrears: null },
  period_ends: { advance: null, arrears: 'period_end' },
  changed: { advance: 'at', arrears: 'period_end' },
  broken_off: { advance: 'at', arrears: 'at' },
  paused: { advance: 'at', arrears: 'at' },
  resumed: { advance: 'at', arrears: 'period_end' },
  stopped: { advance: 'period_end', arrears: 'period_end' },
  put_off: { advance: 'charged_until', arrears: 'period_end' },
};

/** The date on which the difference of a period is taken for this cause; null: for another one. */
export function takenAt(cause: Cause, timing: Timing, dates: CauseDates): Date | null {
  const when = TAKEN[cause][timing];
  return when === null ? null : dates[when];
}

/** The date of the next settlement once this cause has come: the earlier one takes both. */
export function settlement(due: Date | null, cause: Cause, timing: Timing, dates: CauseDates): Date | null {
  const at = takenAt(cause, timing, dates);
  return at === null ? due : earlier(at, due);
}
