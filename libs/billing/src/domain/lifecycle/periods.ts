import { fault } from '@commerce/kernel';

import { earliest } from '../calendar/schedule.js';
import type { BillingPeriod } from '../lines/billing-period.js';
import { begun, eachLine, nextPeriod, nextSettlement, runningPeriod, type Line } from '../lines/line.js';
import {
  boundsOf,
  isPaused,
  lineOf,
  type BilledState,
  type PausedState,
  type ScheduledState,
} from './subscription-state.js';

/** The state in which the next periods have begun, where they start by then. */
export function begunBy<S extends BilledState>(state: S, at: Date): S {
  const bounds = boundsOf(state);
  return { ...state, lines: eachLine(state.lines, (line) => begun(line, bounds, at)) };
}

/** Whether a period of any line is left to begin. */
export function hasNextPeriod(state: ScheduledState): boolean {
  const bounds = boundsOf(state);
  return state.lines.some((line) => nextPeriod(line, bounds) !== null);
}

/** The running period in which a stop ends the service. */
export function stoppedPeriod(state: ScheduledState): BillingPeriod | null {
  if (state.status !== 'NON_RENEWING') return null;
  const running = runningPeriod(lineOf(state));
  const { ending_date } = state;
  return running !== null && running.start <= ending_date && ending_date <= running.end ? running : null;
}

/** Whether the periods before the pause have begun, so that it can end. */
export function isBilledUpToPause(state: PausedState): boolean {
  return !hasNextPeriod(state);
}

/** The date on which a period begins or the difference of one is taken next; null: not as things are. */
export function nextSettlementOf(state: BilledState): Date | null {
  if (!isPaused(state) && state.in_trial) return null;
  const bounds = boundsOf(state);
  const dates = state.lines.map((line) => nextSettlement(line, bounds));
  return dates.reduce(earliest, null);
}

/** A bound on what held one after the other within a period. */
const MAX_SPANS = 64;

/** @throws Fault `subscription.changed_too_often` where a period can have no more changes and pauses */
export function requireFewSpans({ lines }: { readonly lines: readonly Line[] }): void {
  if (lines.every((line) => (runningPeriod(line)?.spans.length ?? 0) < MAX_SPANS)) return;
  const message = `Within a billing period a subscription can change and pause ${String(MAX_SPANS)} times`;
  throw fault('subscription.changed_too_often', message, { limit: MAX_SPANS });
}
