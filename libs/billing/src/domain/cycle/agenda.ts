import { earlier } from '../calendar/schedule.js';
import type { OpenPayment } from '../ledger/open-payment.js';
import { unsettledCuts, type RunningSlice } from '../ledger/running-slice.js';
import { hasGrown, isPausedIn, isStopped, nextSlice, settleableCuts } from '../lifecycle/slices.js';
import {
  isBilled,
  isCancelledInPause,
  isPaused,
  isScheduled,
  type BilledState,
  type EndingState,
  type FutureState,
  type PausedState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';

/** How long a customer has to authenticate a first payment, or one that no other follows. */
export const AUTHENTICATION_MS = 23 * 3_600_000;

/** One thing that billing has to do, when it falls due, and what it needs for it. */
export type AgendaItem =
  | { readonly at: Date; readonly do: OpenPaymentAction; readonly open: OpenPayment }
  | { readonly at: Date; readonly do: 'debt' | 'setup' }
  | {
      readonly at: Date;
      readonly do: 'slice' | 'settle';
      readonly state: BilledState;
      readonly slice: RunningSlice;
    }
  | { readonly at: Date; readonly do: 'activate'; readonly state: FutureState }
  | { readonly at: Date; readonly do: 'resume'; readonly state: PausedState }
  | {
      readonly at: Date;
      readonly do: 'trial_end' | 'service_end' | 'finish';
      readonly state: RunningState | EndingState;
    };

export type OpenPaymentAction = 'drop' | 'replace' | 'cut_off' | 'expire' | 'retry';

/**
 * The next thing to do for a subscription; null: nothing, or nothing before the answer to a payment in flight. All that
 * billing does begins here, so that whatever is left to do has its date.
 */
export function nextItem(state: SubscriptionState, plan: PlanTerms): AgendaItem | null {
  const { open_payment: open, setup_due } = state.ledger;
  if (open?.state === 'IN_FLIGHT') return null;
  if (state.status === 'CANCELLED' && !isCancelledInPause(state)) {
    return open && { at: open.since, do: 'drop', open };
  }
  return oldest([
    ...(open === null ? chargeItems(state, plan) : openItems(state, plan, open)),
    ...statusItems(state),
    // After activation and slice: where the dates are the same, prepay takes fee and slice in one payment.
    ...(open === null && setup_due !== null ? [{ at: setup_due, do: 'setup' } as const] : []),
  ]);
}

/** When the next slice, or the rest of one, is charged; null when none will be, and while paused. */
export function nextChargeDate(state: SubscriptionState, plan: PlanTerms): Date | null {
  if (isPaused(state)) return null;
  if (state.status === 'ACTIVE') {
    const { slice } = state.ledger;
    if (slice !== null && plan.prepay && hasGrown(state, plan, slice)) return slice.end;
  }
  return dueSlice(state, plan)?.at ?? null;
}

/** How many slices are due by `now`, were they charged one after the other. */
export function slicesDue(state: SubscriptionState, plan: PlanTerms, now: Date): number {
  if (!isBilled(state) || (nextSlice(state)?.start ?? now) >= now) return 0;
  const { end } = state.schedule;
  const isOver = end !== null && end <= now;
  const last = state.schedule.indexAt(isOver ? new Date(end.getTime() - 1) : now);
  return last - state.ledger.next_slice + (plan.prepay || isOver ? 1 : 0);
}

/** When an open payment is no longer tried because the next one is due; null: none follows. */
export function cutOffDate(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Date | null {
  const dates: Date[] = [];
  const slice = dueSlice(state, plan);
  if (slice !== null) dates.push(slice.at);
  const settlement = dueSettlement(state, plan);
  if (settlement !== null && !plan.prepay) dates.push(settlement.at);
  // What was charged at the end itself makes way for nothing.
  const end = finishDate(state);
  if (end !== null && end > open.since) dates.push(end);
  if (isPaused(state) && plan.prepay && open.of !== null && state.ledger.slice !== null) {
    dates.push(state.ledger.slice.end);
  }
  return dates.length === 0 ? null : dates.reduce((a, b) => earlier(a, b));
}

/** What the status brings about. At the same date it comes before the others where it is listed first. */
function statusItems(state: SubscriptionState): AgendaItem[] {
  switch (state.status) {
    case 'FUTURE':
      return [{ at: state.schedule.facts.starting_date, do: 'activate', state }];
    case 'PAUSED':
      return state.resume_at ? [{ at: state.resume_at, do: 'resume', state }] : [];
    case 'NON_RENEWING':
      return [
        ...trialItems(state),
        ...(state.active ? [{ at: state.ending_date, do: 'service_end', state } as const] : []),
      ];
    case 'ACTIVE':
      return [...trialItems(state), ...serviceItems(state)];
    case 'CREATED':
    case 'COMPLETED':
    case 'CANCELLED':
      return [];
  }
}

function trialItems(state: RunningState | EndingState): AgendaItem[] {
  const { trial_ending_date } = state.schedule.facts;
  return state.in_trial && trial_ending_date ? [{ at: trial_ending_date, do: 'trial_end', state }] : [];
}

/** Service ends on time even while a payment is open. Without one, the subscription itself ends. */
function serviceItems(state: RunningState): AgendaItem[] {
  const { end } = state.schedule;
  return state.active && end && state.ledger.open_payment ? [{ at: end, do: 'service_end', state }] : [];
}

function openItems(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): AgendaItem[] {
  const { collect_debt } = state.ledger;
  if (collect_debt) return [{ at: collect_debt.at, do: 'replace', open }];
  const cutOff = cutOffDate(state, plan, open);
  const items: AgendaItem[] = cutOff === null ? [] : [{ at: cutOff, do: 'cut_off', open }];
  if (open.state === 'RETRYING') return [...items, { at: open.retry_at, do: 'retry', open }];
  const given = open.state === 'REQUIRES_AUTH' ? open.expires_at : null;
  const expires = given ?? (cutOff === null ? authenticationEnd(open.since) : null);
  return expires === null ? items : [...items, { at: expires, do: 'expire', open }];
}

function chargeItems(state: SubscriptionState, plan: PlanTerms): AgendaItem[] {
  const items: AgendaItem[] = [];
  const { collect_debt, outstanding_amount_minor } = state.ledger;
  if (collect_debt && outstanding_amount_minor > 0) items.push({ at: collect_debt.at, do: 'debt' });
  if (!isBilled(state)) return items;
  const slice = !isPaused(state) && state.in_trial ? null : dueSlice(state, plan);
  const settlement = dueSettlement(state, plan);
  if (settlement !== null) items.push({ ...settlement, do: 'settle', state });
  if (slice !== null) items.push({ ...slice, do: 'slice', state });
  const end = finishDate(state);
  if (end !== null && settlement === null && !isPaused(state)) {
    items.push({ at: end, do: 'finish', state });
  }
  return items;
}

interface DueSlice {
  readonly at: Date;
  readonly slice: RunningSlice;
}

/** Prepay charges a slice when it begins or is resumed, arrears when it ends. */
function dueSlice(state: SubscriptionState, plan: PlanTerms): DueSlice | null {
  if (!isScheduled(state)) return null;
  const slice = nextSlice(state);
  if (slice === null) return null;
  if (plan.prepay) {
    const [entry] = slice.cuts;
    return { at: slice.whole || entry === undefined ? slice.start : entry.at, slice };
  }
  // A pause bills its last slice at its own date: dueSettlement.
  return isPausedIn(state, slice) ? null : { at: state.schedule.endOf(slice), slice };
}

/** A pause or resume within a slice that has been charged, or a slice that was charged only in part. */
function dueSettlement(state: SubscriptionState, plan: PlanTerms): DueSlice | null {
  if (!isBilled(state)) return null;
  const { closing, slice } = state.ledger;
  const [left] = closing;
  if (left !== undefined) return { at: unsettledCuts(left)[0]?.at ?? left.start, slice: left };
  if (slice === null || slice.run !== state.schedule.run) return null;
  const [first] = settleableCuts(state, slice);
  if (!plan.prepay) {
    return isPaused(state) && isPausedIn(state, slice) && first ? { at: state.paused_at, slice } : null;
  }
  if (slice.base_minor === null) return null;
  if (first) return { at: first.at, slice };
  return hasGrown(state, plan, slice) ? { at: slice.end, slice } : null;
}

/** When the status becomes final; null while slices are left to charge. */
function finishDate(state: SubscriptionState): Date | null {
  if (nextSlice(state) !== null) return null;
  if (state.status === 'ACTIVE') return state.schedule.end;
  if (state.status !== 'NON_RENEWING') return null;
  const { slice } = state.ledger;
  return slice !== null && isStopped(state, slice) ? state.schedule.endOf(slice) : state.ending_date;
}

function oldest(items: readonly AgendaItem[]): AgendaItem | null {
  return items.reduce<AgendaItem | null>(
    (first, item) => (first && first.at <= item.at ? first : item),
    null,
  );
}

function authenticationEnd(since: Date): Date {
  return new Date(since.getTime() + AUTHENTICATION_MS);
}
