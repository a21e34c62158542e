import {
  sliceAt,
  sliceIndexAt,
  endOfUnits,
  unitsUpTo,
  sliceBoundary,
  type BillingCalendar,
} from '../calendar/calendar.js';
import type {
  PlanIntervals,
  RunningSlice,
  SliceCut,
  SubscriptionState,
  Term,
} from '../lifecycle/subscription-state.js';

/** The calendar of a subscription that has been started. */
export function calendarOf(state: SubscriptionState, plan: PlanIntervals): BillingCalendar {
  const { anchor, timezone } = state;
  if (anchor === null || timezone === null)
    throw new RangeError('A subscription has no calendar before its start');
  return {
    anchor,
    timezone,
    interval_unit: plan.interval_unit,
    billing_interval: plan.billing_interval,
  };
}

/** The calendar of a slice, which may be that of an earlier run. */
export function calendarOfSlice(
  state: SubscriptionState,
  plan: PlanIntervals,
  slice: RunningSlice,
): BillingCalendar {
  return calendarOf({ ...state, anchor: slice.anchor }, plan);
}

/**
 * Where the subscription ends by its own term; null: nowhere. A stop does not count: it is settled at the end of a
 * period and cuts none.
 */
export function naturalEnd(state: SubscriptionState, plan: PlanIntervals): Date | null {
  if (state.anchor === null) return null;
  const term: Term = state.status === 'NON_RENEWING' ? (state.term_before_stop ?? state) : state;
  if (term.infinite) return null;
  if (term.ending_date !== null) return term.ending_date;
  if (term.interval_total === null) return null;
  return endOfUnits(calendarOf(state, plan), Math.max(0, term.interval_total - state.units_before));
}

/** Where a slice ends: at its boundary, or with the subscription. */
export function endOfSlice(state: SubscriptionState, plan: PlanIntervals, slice: RunningSlice): Date {
  const full = sliceBoundary(calendarOfSlice(state, plan, slice), slice.index + 1);
  return earlier(full, slice.run === state.run ? naturalEnd(state, plan) : slice.end);
}

/** Index of the last slice that has begun strictly before `instant`, or that has been entered at it; -1: none. */
export function lastSliceBefore(state: SubscriptionState, plan: PlanIntervals, instant: Date): number {
  const { slice } = state;
  const entered = slice !== null && slice.start <= instant ? slice.index : -1;
  const before = sliceIndexAt(calendarOf(state, plan), new Date(instant.getTime() - 1));
  return Math.max(entered, before);
}

/** A slice that nothing has been charged of yet, with the stop or pause that falls into it. */
export function enterSlice(
  state: SubscriptionState,
  plan: PlanIntervals,
  index: number,
  resumed: Date | null = null,
): RunningSlice {
  const calendar = calendarOf(state, plan);
  const { start, end } = sliceAt(calendar, index);
  const whole = resumed === null || resumed <= start;
  const entry: SliceCut[] = whole ? [] : [{ at: resumed, takes: 'unused' }];
  const leave: SliceCut[] = index === state.last_slice ? [{ at: haltOf(state), takes: 'stop' }] : [];
  return {
    run: state.run,
    anchor: calendar.anchor,
    index,
    start,
    end: earlier(end, naturalEnd(state, plan)),
    whole,
    base: null,
    cuts: [...entry, ...leave],
    settled: 0,
    bills: 0,
    paid: [],
    owed: 0,
    credited: 0,
  };
}

/** The next slice to be charged; null when none will be. */
export function nextSlice(state: SubscriptionState, plan: PlanIntervals): RunningSlice | null {
  const { slice, next_slice, last_slice } = state;
  if (state.anchor === null || state.status === 'COMPLETED' || state.status === 'CANCELLED') return null;
  if (last_slice !== null && next_slice > last_slice) return null;
  const entered = slice !== null && slice.run === state.run && slice.index === next_slice;
  const next = entered ? slice : enterSlice(state, plan, next_slice);
  const end = naturalEnd(state, plan);
  return end !== null && end <= next.start ? null : next;
}

/** Whole interval units that have been billed, in all runs. */
export function unitsBilled(state: SubscriptionState, plan: PlanIntervals): number {
  if (state.anchor === null) return 0;
  const calendar = calendarOf(state, plan);
  return state.units_before + unitsUpTo(calendar, sliceBoundary(calendar, state.next_slice));
}

/** Names a slice within the subscription: its index; after a new anchor with the number of the run before it. */
export function sliceKey({ run, index }: Pick<RunningSlice, 'run' | 'index'>): string {
  return run === 0 ? String(index) : `${run}.${index}`;
}

/** The cuts of a slice that are not charged or refunded yet. */
export function unsettledCuts({ cuts, settled }: RunningSlice): readonly SliceCut[] {
  return cuts.slice(settled);
}

export function earlier(a: Date, b: Date | null): Date {
  return b !== null && b < a ? b : a;
}

function haltOf({ status, paused_at, ending_date }: SubscriptionState): Date {
  const at = status === 'PAUSED' ? paused_at : ending_date;
  if (at === null) throw new RangeError('A stop or pause has a date');
  return at;
}
