import { cutShort, enterSlice, isSlice, type RunningSlice, type SliceCut } from '../ledger/running-slice.js';
import type { Schedule } from '../calendar/schedule.js';
import type { PlanTerms } from '../pricing/terms.js';
import { isScheduled, type ScheduledState, type SubscriptionState } from './subscription-state.js';

/** The next slice to be charged, with the stop or pause that falls into it; null when none will be. */
export function nextSlice(state: SubscriptionState): RunningSlice | null {
  if (!isScheduled(state)) return null;
  const { schedule } = state;
  const { slice, next_slice } = state.ledger;
  const halt = haltOf(state);
  if (halt !== null && next_slice > halt.last_slice) return null;
  const next = isSlice(slice, schedule, next_slice) ? slice : entered(schedule, next_slice, halt);
  return schedule.end !== null && schedule.end <= next.start ? null : next;
}

/** Index of the last slice that has begun strictly before `instant`, or that has been entered at it; -1: none. */
export function lastSliceBefore({ schedule, ledger }: ScheduledState, instant: Date): number {
  const { slice } = ledger;
  const entered = slice !== null && slice.start <= instant ? slice.index : -1;
  return Math.max(entered, schedule.indexAt(new Date(instant.getTime() - 1)));
}

/** The running slice with a cut at `at`, where it is the one that is cut. A later one gets it when it is entered. */
export function cutAt({ schedule, ledger }: ScheduledState, index: number, at: Date): RunningSlice | null {
  const { slice } = ledger;
  return isSlice(slice, schedule, index) ? cutShort(slice, at) : slice;
}

/** The slice at whose end the stop is settled. */
export function isStopped(state: SubscriptionState, slice: RunningSlice): boolean {
  return state.status === 'NON_RENEWING' && isSlice(slice, state.schedule, state.last_slice);
}

/** The slice into which the pause falls. */
export function isPausedIn(state: SubscriptionState, slice: RunningSlice): boolean {
  return state.status === 'PAUSED' && slice.index === state.last_slice;
}

/** The cuts that are settled at once; a stop waits for the end of its period. */
export function settleableCuts(state: SubscriptionState, slice: RunningSlice): readonly SliceCut[] {
  const waits = isStopped(state, slice) ? 1 : 0;
  return slice.cuts.slice(slice.settled, slice.cuts.length - waits);
}

/** A slice that was charged up to an end which has since been put off: its rest is due when that end comes. */
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
