import { endOfSlice, earlier, naturalEnd, nextSlice, unsettledCuts } from './cycle-calendar.js';
import type { OpenPayment, RunningSlice, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../lifecycle/subscription-terms.js';

/** So long the customer has to authenticate a first payment, or one that nothing follows. */
export const AUTHENTICATION_MS = 23 * 3_600_000;

/** One thing that billing has to do, and from when on. */
export type Step =
  | { readonly at: Date; readonly do: 'drop' | 'replace' | 'cut_off' | 'expire' | 'retry' }
  | { readonly at: Date; readonly do: 'debt' | 'setup' | 'activate' | 'trial_end' | 'resume' | 'service_end' }
  | { readonly at: Date; readonly do: 'slice' | 'settle'; readonly slice: RunningSlice }
  | { readonly at: Date; readonly do: 'finish' };

/**
 * The oldest thing that a subscription waits for; null: nothing, or the answer of a payment in flight. All that
 * billing ever does begins here, so that whatever is left to do has its date.
 */
export function nextStep(state: SubscriptionState, plan: PlanTerms): Step | null {
  const open = state.open_payment;
  if (open?.state === 'IN_FLIGHT') return null;
  if (state.status === 'CANCELLED') return open && { at: open.since, do: 'drop' };
  const steps = [
    ...(open === null ? chargeSteps(state, plan) : openSteps(state, plan, open)),
    ...statusSteps(state, plan),
    // After activation and slice: of the same date, prepay takes fee and slice in one payment.
    ...(open === null && state.setup_due !== null ? [{ at: state.setup_due, do: 'setup' } as const] : []),
  ];
  return oldest(steps);
}

/** When the next slice, or the rest of one, is charged; null when none will be, also while paused. */
export function nextChargeDate(state: SubscriptionState, plan: PlanTerms): Date | null {
  if (state.status === 'PAUSED') return null;
  const { slice } = state;
  if (slice !== null && plan.prepay && hasGrown(state, plan, slice)) return slice.end;
  return sliceStep(state, plan)?.at ?? null;
}

/** From when on an open payment is not tried any more, because the next one is due; null: nothing follows. */
export function cutOffDate(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Date | null {
  const dates: Date[] = [];
  const slice = sliceStep(state, plan);
  if (slice !== null) dates.push(slice.at);
  const settlement = settleStep(state, plan);
  if (settlement !== null && !plan.prepay) dates.push(settlement.at);
  // What was charged at the end itself has nothing to make way for.
  const end = finishDate(state, plan);
  if (end !== null && end > open.since) dates.push(end);
  if (state.status === 'PAUSED' && plan.prepay && open.of !== null && state.slice !== null) {
    dates.push(state.slice.end);
  }
  return dates.length === 0 ? null : dates.reduce((a, b) => earlier(a, b));
}

/** First those that must come before the others of the same date. */
function statusSteps(state: SubscriptionState, plan: PlanTerms): Step[] {
  const { starting_date, trial_ending_date, resume_at, ending_date } = state;
  switch (state.status) {
    case 'FUTURE':
      return starting_date ? [{ at: starting_date, do: 'activate' }] : [];
    case 'PAUSED':
      return resume_at ? [{ at: resume_at, do: 'resume' }] : [];
    case 'NON_RENEWING':
      return state.active && ending_date ? [{ at: ending_date, do: 'service_end' }] : [];
    case 'ACTIVE': {
      const end = naturalEnd(state, plan);
      return [
        ...(state.in_trial && trial_ending_date ? [{ at: trial_ending_date, do: 'trial_end' } as const] : []),
        ...(state.active && end && state.open_payment ? [{ at: end, do: 'service_end' } as const] : []),
      ];
    }
    case 'CREATED':
    case 'COMPLETED':
    case 'CANCELLED':
      return [];
  }
}

function openSteps(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Step[] {
  if (state.collect_debt) return [{ at: state.collect_debt.at, do: 'replace' }];
  const cutOff = cutOffDate(state, plan, open);
  const steps: Step[] = cutOff === null ? [] : [{ at: cutOff, do: 'cut_off' }];
  if (open.state === 'RETRYING') return [...steps, { at: open.retry_at ?? open.since, do: 'retry' }];
  const expires = open.expires_at ?? (cutOff === null ? hoursAfter(open.since) : null);
  return expires === null ? steps : [...steps, { at: expires, do: 'expire' }];
}

function chargeSteps(state: SubscriptionState, plan: PlanTerms): Step[] {
  const steps: Step[] = [];
  const slice = sliceStep(state, plan);
  const settlement = settleStep(state, plan);
  if (state.collect_debt && state.outstanding_amount > 0)
    steps.push({ at: state.collect_debt.at, do: 'debt' });
  if (settlement !== null) steps.push(settlement);
  if (slice !== null && !state.in_trial && state.status !== 'FUTURE') steps.push(slice);
  const end = finishDate(state, plan);
  if (end !== null && settlement === null) steps.push({ at: end, do: 'finish' });
  return steps;
}

/** Prepay charges a slice when it begins or is taken up again, arrears when it ends. */
function sliceStep(state: SubscriptionState, plan: PlanTerms): Extract<Step, { slice: RunningSlice }> | null {
  const slice = nextSlice(state, plan);
  if (slice === null) return null;
  if (plan.prepay) {
    const [entry] = slice.cuts;
    return { at: slice.whole || entry === undefined ? slice.start : entry.at, do: 'slice', slice };
  }
  // A pause bills its last slice at its own date: settleStep.
  if (state.status === 'PAUSED' && slice.index === state.last_slice) return null;
  return { at: endOfSlice(state, plan, slice), do: 'slice', slice };
}

/** Pauses and resumes within a slice that is charged already, and one that was charged only in part. */
function settleStep(
  state: SubscriptionState,
  plan: PlanTerms,
): Extract<Step, { slice: RunningSlice }> | null {
  const [left] = state.closing;
  if (left !== undefined) return { at: unsettledCuts(left)[0]?.at ?? left.start, do: 'settle', slice: left };
  const { slice } = state;
  if (slice === null || slice.run !== state.run) return null;
  const [first] = settleableCuts(state, slice);
  if (!plan.prepay) {
    const pausedHere = state.status === 'PAUSED' && slice.index === state.last_slice;
    return pausedHere && first ? { at: state.paused_at ?? first.at, do: 'settle', slice } : null;
  }
  if (slice.base === null) return null;
  if (first) return { at: first.at, do: 'settle', slice };
  return hasGrown(state, plan, slice) ? { at: slice.end, do: 'settle', slice } : null;
}

/** A slice that was charged up to an end which has since been put off: its rest is due when that end comes. */
function hasGrown(state: SubscriptionState, plan: PlanTerms, slice: RunningSlice): boolean {
  if (state.status !== 'ACTIVE' || slice.base === null || !plan.is_prorated) return false;
  return slice.run === state.run && endOfSlice(state, plan, slice) > slice.end;
}

/** The cuts that are settled at once; a stop waits for the end of its period. */
export function settleableCuts(state: SubscriptionState, slice: RunningSlice): RunningSlice['cuts'] {
  const waits = isStopped(state, slice) ? 1 : 0;
  return slice.cuts.slice(slice.settled, slice.cuts.length - waits);
}

/** The slice at whose end the stop is settled. */
export function isStopped(state: SubscriptionState, slice: RunningSlice): boolean {
  return state.status === 'NON_RENEWING' && slice.run === state.run && slice.index === state.last_slice;
}

/** When the status becomes final, all slices being charged by then; null while some are left. */
function finishDate(state: SubscriptionState, plan: PlanTerms): Date | null {
  if (nextSlice(state, plan) !== null) return null;
  if (state.status === 'ACTIVE') return naturalEnd(state, plan);
  if (state.status !== 'NON_RENEWING') return null;
  const { slice } = state;
  return slice !== null && isStopped(state, slice) ? endOfSlice(state, plan, slice) : state.ending_date;
}

function oldest(steps: readonly Step[]): Step | null {
  return steps.reduce<Step | null>((first, step) => (first && first.at <= step.at ? first : step), null);
}

function hoursAfter(instant: Date): Date {
  return new Date(instant.getTime() + AUTHENTICATION_MS);
}
