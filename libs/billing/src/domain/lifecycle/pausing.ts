import { TRY_AGAIN_SOON } from '@commerce/kernel';

import type { SliceLedger } from '../ledger/ledger.js';
import { enterSlice, isSlice, takenUpAgain, unsettledCuts } from '../ledger/running-slice.js';
import { edgeEvent, stateConflict } from './lifecycle.js';
import { cutAt, lastSliceBefore } from './slices.js';
import { isInTrial } from './starting.js';
import type { PausedState, RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** Pauses at `at`. The cycle bills the running slice up to then, or gives the rest of it back. */
export function paused(
  before: RunningState,
  at: Date,
  by: 'pause' | 'trial_end',
  resume_at: Date | null,
): Transition<PausedState> {
  const { schedule, ledger, outlook } = before;
  const last_slice = by === 'trial_end' ? -1 : lastSliceBefore(before, at);
  const cut: SliceLedger = {
    ...ledger,
    slice: cutAt(before, last_slice, at),
    last_prorate_date: last_slice === -1 ? ledger.last_prorate_date : at,
  };
  return {
    state: { status: 'PAUSED', paused_at: at, resume_at, last_slice, schedule, ledger: cut, outlook },
    event: edgeEvent('ACTIVE', by, 'PAUSED'),
  };
}

/**
 * Resumes at `at`, either on the old calendar with the rest of the slice that runs then, or on a new calendar that
 * begins there. Slices that lie wholly within the pause are not charged.
 * Fault `subscription.state_conflict` where slices from before the pause have not been charged yet.
 */
export function resumed(
  before: PausedState,
  at: Date,
  by: 'start' | 'resume_at',
  reanchor: boolean,
): Transition<RunningState> {
  const { last_slice, ledger } = before;
  if (last_slice >= 0 && ledger.slice?.index !== last_slice) {
    const message = 'Periods from before the pause are still being charged; try again';
    throw stateConflict(before, message, ['start', 'stop'], TRY_AGAIN_SOON);
  }
  const state = reanchor ? anchoredAnew(before, at) : takenUp(before, at);
  return { state, event: edgeEvent('PAUSED', by, 'ACTIVE') };
}

function takenUp({ schedule, ledger, last_slice, outlook }: PausedState, at: Date): RunningState {
  const { end } = schedule;
  const running = { status: 'ACTIVE', active: true, in_trial: false, schedule, outlook } as const;
  if (end !== null && end <= at) {
    // Its end has passed meanwhile: all that is left is to complete it.
    const next_slice = Math.max(ledger.next_slice, schedule.indexAt(new Date(end.getTime() - 1)) + 1);
    return { ...running, ledger: { ...left(ledger), next_slice } };
  }
  const index = schedule.indexAt(at);
  if (index < 0) return { ...running, in_trial: isInTrial(schedule, at), ledger };
  if (index === last_slice && isSlice(ledger.slice, schedule, index)) {
    return { ...running, ledger: { ...ledger, slice: takenUpAgain(ledger.slice, at) } };
  }
  const slice = enterSlice(schedule, index, at);
  return { ...running, ledger: { ...left(ledger), next_slice: index, slice } };
}

function anchoredAnew(before: PausedState, at: Date): RunningState {
  const { outlook, paused_at } = before;
  const schedule = before.schedule.anchoredAnew(at, paused_at);
  const hasEnded = schedule.end !== null && schedule.end <= at;
  const ledger = { ...left(before.ledger), next_slice: 0 };
  return {
    status: 'ACTIVE',
    active: true,
    in_trial: false,
    schedule,
    ledger: hasEnded ? ledger : { ...ledger, slice: enterSlice(schedule, 0) },
    outlook,
  };
}

/** Leaves the running slice behind; a pause in it that is not settled yet stays to be settled. */
function left(ledger: SliceLedger): SliceLedger {
  const { slice, closing } = ledger;
  if (slice === null || unsettledCuts(slice).length === 0) return ledger;
  const settled = { ...slice, settled: slice.cuts.length };
  return { ...ledger, closing: [...closing, slice], slice: settled };
}
