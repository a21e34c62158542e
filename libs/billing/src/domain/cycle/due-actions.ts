import { earlier } from '../calendar/schedule.js';
import { dueOf, timingOf } from '../lines/settlement.js';
import { changeNumber, type OpenPayment } from '../receivable/open-payment.js';
import {
  earliest,
  endsOf,
  isBilledUpToPause,
  nextPeriod,
  nextPeriodCharge,
  nextSettlement,
  runningPeriod,
  stoppedPeriod,
} from '../lifecycle/periods.js';
import {
  isBilled,
  isCancelledInPause,
  isPaused,
  isScheduled,
  withReceivable,
  type BilledState,
  type EndingState,
  type FutureState,
  type PausedState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { AwaitedChange, ScheduledChange } from '../lifecycle/pending-change.js';
import type { PlanTerms } from '../pricing/terms.js';

/** Time for a customer to authenticate a first payment, or one that no other follows. */
export const AUTHENTICATION_MS = 23 * 3_600_000;

/** An action of billing, its due date and its inputs. */
export type DueAction =
  | { readonly at: Date; readonly do: OpenPaymentAction; readonly open: OpenPayment }
  | { readonly at: Date; readonly do: 'debt' | 'setup' }
  | { readonly at: Date; readonly do: 'settle'; readonly state: BilledState }
  | {
      readonly at: Date;
      readonly do: 'change';
      readonly state: RunningState;
      readonly change: ScheduledChange;
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
 * The next action of a subscription; null: none, or none before the answer to a payment in flight. All billing begins
 * here, so every remaining action has a date.
 */
export function nextDueAction(state: SubscriptionState, plan: PlanTerms): DueAction | null {
  const { open_payment: open, setup_due } = state.receivable;
  if (open?.state === 'IN_FLIGHT') return null;
  if (open !== null && isWithdrawn(state, open)) return { at: open.since, do: 'drop', open };
  if (state.status === 'CANCELLED' && !isCancelledInPause(state)) {
    return open && { at: open.since, do: 'drop', open };
  }
  return oldest([
    // A change at the start of a period comes before it begins.
    ...dueChange(state),
    ...(open === null ? chargeActions(state, plan) : openPaymentActions(state, plan, open)),
    ...statusActions(state),
    // After activation and period: where the dates are the same, prepay takes fee and period in one payment.
    ...(open === null && setup_due !== null ? [{ at: setup_due, do: 'setup' } as const] : []),
  ]);
}

/** Whether the payment is for a change that was withdrawn before the customer paid. */
export function isWithdrawn(state: SubscriptionState, open: OpenPayment): boolean {
  return changeNumber(open) !== null && !isAwaited(state);
}

/** Whether a change waits for its payment. */
export function isAwaited(
  state: SubscriptionState,
): state is RunningState & { pending_change: AwaitedChange } {
  return state.status === 'ACTIVE' && state.pending_change?.state === 'AWAITING_PAYMENT';
}

/** The state without a change that waits for its payment, and without that payment. */
export function withoutAwaited(state: SubscriptionState): SubscriptionState {
  if (!isAwaited(state)) return state;
  return withReceivable({ ...state, pending_change: null }, { open_payment: null });
}

function dueChange(state: SubscriptionState): DueAction[] {
  if (state.status !== 'ACTIVE' || state.pending_change?.state !== 'SCHEDULED') return [];
  const { pending_change: pending, schedule } = state;
  const { at } = pending;
  if (at === null || (schedule.end !== null && schedule.end <= at)) return [];
  return [{ at, do: 'change', state, change: pending }];
}

/** Date of the next charge of a period or of the rest of one; null when there is none, and while paused. */
export function nextChargeDate(state: SubscriptionState, plan: PlanTerms): Date | null {
  if (!isScheduled(state) || isPaused(state)) return null;
  const timing = timingOf(plan);
  const running = runningPeriod(state);
  const isOpen =
    timing === 'advance' && running !== null && running.settled_until < endsOf(state, running).service;
  return earliest(isOpen ? running.settled_until : null, nextPeriodCharge(state, timing));
}

/** Number of periods due by `now`, if charged one after the other. */
export function periodsDue(state: SubscriptionState, plan: PlanTerms, now: Date): number {
  if (!isBilled(state) || (nextPeriod(state)?.start ?? now) >= now) return 0;
  const { end } = state.schedule;
  const isOver = end !== null && end <= now;
  const last = state.schedule.indexAt(isOver ? new Date(end.getTime() - 1) : now);
  return last - state.receivable.next_period + 1;
}

/** The date at which an open payment is abandoned because the next one is due; null when none follows. */
export function retryDeadline(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Date | null {
  const dates: Date[] = [];
  const add = (date: Date | null): unknown => date !== null && dates.push(date);
  if (isScheduled(state)) add(nextPeriodCharge(state, timingOf(plan)));
  if (isBilled(state)) for (const date of settlementsInTheWay(state, plan)) dates.push(date);
  // A payment opened at the end itself has no later date to make way for.
  const end = finishDate(state);
  if (end !== null && end > open.since) add(end);
  if (isPaused(state) && timingOf(plan) === 'advance' && open.own.length > 0)
    add(runningPeriod(state)?.end ?? null);
  return dates.reduce<Date | null>((first, date) => earlier(date, first), null);
}

/** Settlements that do not wait for an open payment: in advance first charges and those of changes, in arrears all. */
function settlementsInTheWay(state: BilledState, plan: PlanTerms): Date[] {
  const timing = timingOf(plan);
  return state.receivable.periods.flatMap((period) => {
    const due = dueOf(period, timing, endsOf(state, period));
    const isFirst = period.bills === 0 && period.books.length === 0;
    return due !== null && (timing === 'arrears' || isFirst || period.credit_to !== null) ? [due] : [];
  });
}

/** The actions that follow from the status. Of two with the same date, the one listed first comes first. */
function statusActions(state: SubscriptionState): DueAction[] {
  switch (state.status) {
    case 'FUTURE':
      return [{ at: state.schedule.facts.starting_date, do: 'activate', state }];
    case 'PAUSED':
      // A payment that is open may delay the charges of the periods before the pause beyond its end.
      return state.resume_at && isBilledUpToPause(state)
        ? [{ at: state.resume_at, do: 'resume', state }]
        : [];
    case 'NON_RENEWING':
      return [
        ...trialActions(state),
        ...(state.active ? [{ at: state.ending_date, do: 'service_end', state } as const] : []),
      ];
    case 'ACTIVE':
      return [...trialActions(state), ...serviceActions(state)];
    case 'CREATED':
    case 'COMPLETED':
    case 'CANCELLED':
      return [];
  }
}

function trialActions(state: RunningState | EndingState): DueAction[] {
  const { trial_ending_date } = state.schedule.facts;
  return state.in_trial && trial_ending_date ? [{ at: trial_ending_date, do: 'trial_end', state }] : [];
}

/** Service ends on time even while a payment is open. Without one, the subscription itself ends. */
function serviceActions(state: RunningState): DueAction[] {
  const { end } = state.schedule;
  return state.active && end && state.receivable.open_payment ? [{ at: end, do: 'service_end', state }] : [];
}

function openPaymentActions(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): DueAction[] {
  const { collect_debt } = state.receivable;
  // The payment of a quote is for the quote alone: debt is collected after it.
  if (collect_debt && changeNumber(open) === null) return [{ at: collect_debt.at, do: 'replace', open }];
  const deadline = retryDeadline(state, plan, open);
  const items: DueAction[] = deadline === null ? [] : [{ at: deadline, do: 'cut_off', open }];
  if (open.state === 'RETRYING') return [...items, { at: open.retry_at, do: 'retry', open }];
  const given = open.state === 'REQUIRES_AUTH' ? open.expires_at : null;
  const expires = given ?? (deadline === null ? authenticationEnd(open.since) : null);
  return expires === null ? items : [...items, { at: expires, do: 'expire', open }];
}

function chargeActions(state: SubscriptionState, plan: PlanTerms): DueAction[] {
  const items: DueAction[] = [];
  const { collect_debt, outstanding_amount_minor } = state.receivable;
  if (collect_debt && outstanding_amount_minor > 0) items.push({ at: collect_debt.at, do: 'debt' });
  if (!isBilled(state)) return items;
  const settlement = nextSettlement(state, plan);
  if (settlement !== null) items.push({ at: settlement, do: 'settle', state });
  const end = finishDate(state);
  if (end !== null && !isPaused(state)) items.push({ at: end, do: 'finish', state });
  return items;
}

/** The date at which the status becomes final; null while periods are left to begin. */
function finishDate(state: SubscriptionState): Date | null {
  if (!isBilled(state) || nextPeriod(state) !== null) return null;
  if (state.status === 'ACTIVE') return state.schedule.end;
  if (state.status !== 'NON_RENEWING') return null;
  const stopped = stoppedPeriod(state);
  return stopped === null ? state.ending_date : endsOf(state, stopped).settled;
}

function oldest(items: readonly DueAction[]): DueAction | null {
  return items.reduce<DueAction | null>((first, item) => (first && first.at <= item.at ? first : item), null);
}

function authenticationEnd(since: Date): Date {
  return new Date(since.getTime() + AUTHENTICATION_MS);
}
