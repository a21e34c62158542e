import { earlier, type Schedule } from '../calendar/schedule.js';
import type { PaymentKey } from './open-payment.js';

/** A stop or pause (`stop`) or a resume (`unused`) within a slice. */
export interface SliceCut {
  readonly at: Date;
  readonly takes: 'stop' | 'unused';
}

/** Money for a slice that a payment has brought in. */
export interface PaidPart extends PaymentKey {
  readonly amount_minor: number;
}

/** A slice of the calendar and what has been charged of it. Self-contained: it outlives a new anchor. */
export interface RunningSlice {
  readonly run: number;
  readonly anchor: Date;
  readonly index: number;
  readonly start: Date;
  /** Cut by an end of the subscription, as far as known. */
  readonly end: Date;
  /** False where it was entered in the middle, after a pause that began in an earlier one. */
  readonly whole: boolean;
  /** What the slice comes to as a whole; null until the first charge for it. */
  readonly base_minor: number | null;
  readonly cuts: readonly SliceCut[];
  /** How many of the cuts have been charged or refunded. */
  readonly settled: number;
  /** How many payments have been made for it. */
  readonly bills: number;
  /** What has been collected for it and by which payments, less what was given back; the newest part last. */
  readonly paid: readonly PaidPart[];
  /** What of it failed to be collected and is in outstanding_amount. */
  readonly owed_minor: number;
  /** How much of the unsettled cuts has been given back already. */
  readonly credited_minor: number;
}

/** A slice that nothing has been charged of yet; entered by a resume where that falls into it. */
export function enterSlice(schedule: Schedule, index: number, resumed: Date | null = null): RunningSlice {
  const { start, end } = schedule.slice(index);
  const whole = resumed === null || resumed <= start;
  return {
    run: schedule.run,
    anchor: schedule.anchor,
    index,
    start,
    end: earlier(end, schedule.end),
    whole,
    base_minor: null,
    cuts: whole ? [] : [{ at: resumed, takes: 'unused' }],
    settled: 0,
    bills: 0,
    paid: [],
    owed_minor: 0,
    credited_minor: 0,
  };
}

/** The slice with a stop, or a pause, from `at` on. */
export function cutShort(slice: RunningSlice, at: Date): RunningSlice {
  return { ...slice, cuts: [...slice.cuts, { at, takes: 'stop' }] };
}

/** The slice with a resume at `at`. */
export function takenUpAgain(slice: RunningSlice, at: Date): RunningSlice {
  return { ...slice, cuts: [...slice.cuts, { at, takes: 'unused' }] };
}

/** Whether it is this slice of the calendar, and not one of the same number in an earlier run. */
export function isSlice(
  slice: RunningSlice | null,
  { run }: Schedule,
  index: number | null,
): slice is RunningSlice {
  return slice !== null && slice.run === run && slice.index === index;
}

/** Names a slice within the subscription: its index; after a new anchor with the number of the run before it. */
export function sliceKey({ run, index }: Pick<RunningSlice, 'run' | 'index'>): string {
  return run === 0 ? String(index) : `${run}.${index}`;
}

/** The cuts of a slice that are not charged or refunded yet. */
export function unsettledCuts({ cuts, settled }: RunningSlice): readonly SliceCut[] {
  return cuts.slice(settled);
}
