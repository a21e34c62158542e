import { sliceIndexAt, unitsUpTo } from '../calendar/calendar.js';
import {
  calendarOf,
  enterSlice,
  lastSliceBefore,
  naturalEnd,
  unsettledCuts,
} from '../cycle/cycle-calendar.js';
import { applied } from '../cycle/cycle-derived.js';
import type { Transition } from '../cycle/decision.js';
import { edgeEvent, stateConflict } from './lifecycle.js';
import type { RunningSlice, SliceCut, StateChanges, SubscriptionState } from './subscription-state.js';
import type { PlanTerms } from './subscription-terms.js';

/** Rests from `at` on: what runs is billed up to then, or given back from then on, by the cycle. */
export function paused(
  state: SubscriptionState,
  plan: PlanTerms,
  at: Date,
  by: 'pause' | 'trial_end',
  resume_at: Date | null,
): Transition {
  const last_slice = by === 'trial_end' ? -1 : lastSliceBefore(state, plan, at);
  return {
    changes: {
      status: 'PAUSED',
      active: false,
      in_trial: false,
      paused_at: at,
      resume_at,
      last_slice,
      ...(last_slice === -1 ? {} : { last_prorate_date: at }),
      slice: withCut(state, last_slice, { at, takes: 'stop' }),
    },
    event: edgeEvent(state.status, by, 'PAUSED'),
  };
}

/** The running slice, with the cut where it is the one that is cut. A later one gets it when it is entered. */
export function withCut(
  { slice, run }: SubscriptionState,
  index: number,
  cut: SliceCut,
): RunningSlice | null {
  if (slice === null || slice.run !== run || slice.index !== index) return slice;
  return { ...slice, cuts: [...slice.cuts, cut] };
}

/**
 * Goes on at `at`: on the old calendar, with the rest of the slice that runs by then, or on a new one that begins
 * there. Slices that passed meanwhile are not charged.
 * Fault `subscription.state_conflict` where slices from before the pause have not been charged yet.
 */
export function resumed(
  state: SubscriptionState,
  plan: PlanTerms,
  at: Date,
  by: 'start' | 'resume_at',
  reanchor: boolean,
): Transition {
  const last = state.last_slice ?? -1;
  const { slice } = state;
  if (last >= 0 && slice?.index !== last) {
    throw stateConflict(state, 'Periods from before the pause are still being charged; try again', ['start']);
  }
  const changes: StateChanges = {
    status: 'ACTIVE',
    active: true,
    paused_at: null,
    resume_at: null,
    last_slice: null,
  };
  const after = applied(state, changes);
  const rested = state.paused_at ?? at;
  const entry = reanchor ? anchoredAnew(after, plan, rested, at) : takenUp(after, plan, last, at);
  return { changes: { ...changes, ...entry }, event: edgeEvent(state.status, by, 'ACTIVE') };
}

function takenUp(state: SubscriptionState, plan: PlanTerms, last: number, at: Date): StateChanges {
  const { slice, trial_ending_date } = state;
  const end = naturalEnd(state, plan);
  const calendar = calendarOf(state, plan);
  if (end !== null && end <= at) {
    // Its end passed meanwhile: nothing is left but to complete it.
    const next_slice = Math.max(state.next_slice, sliceIndexAt(calendar, new Date(end.getTime() - 1)) + 1);
    return { ...leave(state), next_slice };
  }
  const index = sliceIndexAt(calendar, at);
  if (index < 0) return { in_trial: trial_ending_date !== null && at < trial_ending_date };
  if (index === last && slice !== null) return { slice: withCut(state, last, { at, takes: 'unused' }) };
  return { ...leave(state), next_slice: index, slice: enterSlice(state, plan, index, at) };
}

function anchoredAnew(state: SubscriptionState, plan: PlanTerms, rested: Date, at: Date): StateChanges {
  const changes: StateChanges = {
    anchor: at,
    run: state.run + 1,
    next_slice: 0,
    // A unit that the pause broke off is not counted: a whole one takes its place.
    units_before: state.units_before + unitsUpTo(calendarOf(state, plan), rested),
    ...(state.trial_ending_date !== null && at < state.trial_ending_date ? { trial_ending_date: at } : {}),
    ...leave(state),
  };
  const after = applied(state, changes);
  const end = naturalEnd(after, plan);
  return { ...changes, slice: end !== null && end <= at ? state.slice : enterSlice(after, plan, 0) };
}

/** Leaves the running slice; where its pause is not settled, that is still to be done. */
function leave(state: SubscriptionState): StateChanges {
  const { slice } = state;
  if (slice === null || unsettledCuts(slice).length === 0) return {};
  const settled = { ...slice, settled: slice.cuts.length };
  return { closing: [...state.closing, slice], slice: settled };
}
