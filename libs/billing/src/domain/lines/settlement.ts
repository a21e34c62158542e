import { idleSince } from './billing-period.js';
import type { Span } from './spans.js';

/** When the periods of a line are collected. */
export type Timing = 'advance' | 'arrears';

/** Whether the periods of a plan are collected in advance. */
export interface Collected {
  readonly prepay: boolean;
}

/** The timing of a plan; nothing else asks whether it is prepaid. */
export function timingOf({ prepay }: Collected): Timing {
  return prepay ? 'advance' : 'arrears';
}

/** The ends of a period as they are known now. */
export interface PeriodEnds {
  /** The end of service in it: that of the period, or an earlier end or stop. */
  readonly service: Date;
  /** The date of its last settlement: its end, or the earlier end of the subscription's term. A stop does not move it. */
  readonly settled: Date;
}

/** What held in a period, and up to when it is settled. */
interface Settling {
  readonly spans: readonly Span<unknown>[];
  readonly settled_until: Date;
}

/**
 * The date on which the difference of a period is taken next; null: not as things are. What an event changes is to be
 * settled again (`settled_until` moves back to it), so these are all the rules:
 *
 * - in advance, where something is not settled: at the date up to which all is, which is that of a start, of a change, of
 *   a pause or resume, or of an end that was put off;
 * - in advance, where more is settled than service lasts (a stop, an end put forward): at the end;
 * - in arrears: at the end, or where nothing holds any more, at once.
 */
export function dueOf(period: Settling, timing: Timing, { service, settled }: PeriodEnds): Date | null {
  const { settled_until: until } = period;
  if (timing === 'arrears') return until < settled ? (idleSince(period) ?? settled) : null;
  if (until < service) return until;
  return until > service ? settled : null;
}

/** The date up to which a settlement settles a period. */
export function settledUntil(timing: Timing, { service, settled }: PeriodEnds): Date {
  return timing === 'arrears' ? settled : service;
}
