import { cutShort, enterSlice, isSlice, type RunningSlice, type SliceCut } from '../ledger/running-slice.js';
import type { Schedule } from '../calendar/schedule.js';
import type { PlanTerms } from '../pricing/terms.js';
import { isPaused, isScheduled, type ScheduledState, type SubscriptionState } from './subscription-state.js';

/** The next slice to charge, with the stop or pause that falls into it; null when there is none. */
export function nextSlice(state: SubscriptionState): RunningSlice | null {
  if (!isScheduled(state)) return null;
  const { schedule } = state;
  const { slice, next_slice } = state.ledger;
  const halt = haltOf(state);
  if (halt !== null && next_slice > halt.last_slice) return null;
  const next = isSlice(slice, schedule, next_slice) ? slice : entered(schedule, next_slice, halt);
  return schedule.end !== null && schedule.end <= next.start ? null : next;
}

/** Index of the last slice that began before `instant`, or was entered at that very instant; -1: none. */
export function lastSliceBefore({ schedule, ledger }: ScheduledState, instant: Date): number {
  const { slice } = ledger;
  const entered = slice !== null && slice.start <= instant ? slice.index : -1;
  return Math.max(entered, schedule.indexAt(new Date(instant.getTime() - 1)));
}

/** The running slice, cut at `at` where it is the one with that index. A later one is cut when it is entered. */
export function cutAt({ schedule, ledger }: ScheduledState, index: number, at: Date): RunningSlice | null {
  const { slice } = ledger;
  return isSlice(slice, schedule, index) ? cutShort(slice, at) : slice;
}

/** Whether the stop falls into this slice, at whose end it is settled. */
export function isStopped(state: SubscriptionState, slice: RunningSlice): boolean {
  return state.status === 'NON_RENEWING' && isSlice(slice, state.schedule, state.last_slice);
}

/** Whether the pause falls into this slice. */
export function isPausedIn(state: SubscriptionState, slice: RunningSlice): boolean {
  return isPaused(state) && slice.index === state.last_slice;
}

/** The cuts to settle at once; a stop waits for the end of its period. */
export function settleableCuts(state: SubscriptionState, slice: RunningSlice): readonly SliceCut[] {
  const waits = isStopped(state, slice) ? 1 : 0;
  return slice.cuts.slice(slice.settled, slice.cuts.length - waits);
}

/** Whether its end was postponed after it had been charged: the rest is due when the old end comes. */
export function hasGrown(state: SubscriptionState, plan: PlanTerms, slice: RunningSlice): boolean {
  if (state.status !== 'ACTIVE' || slice.base_minor === null || !plan.is_prorated) return false;
  return slice.run === state.schedule.run && state.schedule.endOf(slice) > slice.end;
}

interface Halt {
  readonly last_slice: number;
  readonly at: Date;
}

/** The stop or pause after which no slice is charged. */
function haltOf(state: ScheduledState): Halt | null {
  switch (state.status) {
    case 'PAUSED':
    case 'CANCELLED':
      return { last_slice: state.last_slice, at: state.paused_at };
    case 'NON_RENEWING':
      return { last_slice: state.last_slice, at: state.ending_date };
    case 'FUTURE':
    case 'ACTIVE':
      return null;
  }
}

function entered(schedule: Schedule, index: number, halt: Halt | null): RunningSlice {
  const slice = enterSlice(schedule, index);
  return halt?.last_slice === index ? cutShort(slice, halt.at) : slice;
}
