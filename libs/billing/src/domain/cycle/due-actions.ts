import { earlier } from '../calendar/schedule.js';
import { changeDue } from '../receivable/changed-periods.js';
import { changeNumber, type OpenPayment } from '../receivable/open-payment.js';
import { unsettledCuts, type BillingPeriod } from '../receivable/billing-period.js';
import {
  hasGrown,
  isChargedUpToPause,
  isPausedIn,
  isStopped,
  nextPeriod,
  settleableCuts,
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
  | {
      readonly at: Date;
      readonly do: 'charge_period' | 'settle_prorations';
      readonly state: BilledState;
      readonly period: BillingPeriod;
    }
  | { readonly at: Date; readonly do: 'settle_change'; readonly state: BilledState }
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
    // Where a change takes effect at the start of a period, prepay charges that at the new terms, arrears the old one first.
    ...(plan.prepay ? dueChange(state) : []),
    ...(open === null ? chargeActions(state, plan) : openPaymentActions(state, plan, open)),
    ...(plan.prepay ? [] : dueChange(state)),
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
  if (isPaused(state)) return null;
  if (isBilled(state)) {
    const { period } = state.receivable;
    if (period !== null && plan.prepay && hasGrown(state, plan, period)) return period.end;
  }
  return duePeriod(state, plan)?.at ?? null;
}

/** Number of periods due by `now`, if charged one after the other. */
export function periodsDue(state: SubscriptionState, plan: PlanTerms, now: Date): number {
  if (!isBilled(state) || (nextPeriod(state)?.start ?? now) >= now) return 0;
  const { end } = state.schedule;
  const isOver = end !== null && end <= now;
  const last = state.schedule.indexAt(isOver ? new Date(end.getTime() - 1) : now);
  return last - state.receivable.next_period + (plan.prepay || isOver ? 1 : 0);
}

/** The date at which an open payment is abandoned because the next one is due; null when none follows. */
export function retryDeadline(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Date | null {
  const dates: Date[] = [];
  const period = duePeriod(state, plan);
  if (period !== null) dates.push(period.at);
  const settlement = dueSettlement(state, plan);
  if (settlement !== null && !plan.prepay) dates.push(settlement.at);
  const change = isBilled(state) ? changeDue(state.receivable) : null;
  if (change !== null) dates.push(change);
  // A payment opened at the end itself has no later date to make way for.
  const end = finishDate(state);
  if (end !== null && end > open.since) dates.push(end);
  if (isPaused(state) && plan.prepay && open.of !== null && state.receivable.period !== null) {
    dates.push(state.receivable.period.end);
  }
  return dates.length === 0 ? null : dates.reduce((a, b) => earlier(a, b));
}

/** The actions that follow from the status. Of two with the same date, the one listed first comes first. */
function statusActions(state: SubscriptionState): DueAction[] {
  switch (state.status) {
    case 'FUTURE':
      return [{ at: state.schedule.facts.starting_date, do: 'activate', state }];
    case 'PAUSED':
      // A payment that is open may delay the charges of the periods before the pause beyond its end.
      return state.resume_at && isChargedUpToPause(state)
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
  if (collect_debt) return [{ at: collect_debt.at, do: 'replace', open }];
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
  const period = !isPaused(state) && state.in_trial ? null : duePeriod(state, plan);
  const settlement = dueSettlement(state, plan);
  if (settlement !== null) items.push({ ...settlement, do: 'settle_prorations', state });
  // A period that is charged at the same date takes the settlement of a change into its payment.
  if (period !== null) items.push({ ...period, do: 'charge_period', state });
  const change = changeDue(state.receivable);
  if (change !== null) items.push({ at: change, do: 'settle_change', state });
  const end = finishDate(state);
  if (end !== null && settlement === null && change === null && !isPaused(state)) {
    items.push({ at: end, do: 'finish', state });
  }
  return items;
}

interface DuePeriod {
  readonly at: Date;
  readonly period: BillingPeriod;
}

/** Prepay charges a period when it begins or is resumed, arrears when it ends. */
function duePeriod(state: SubscriptionState, plan: PlanTerms): DuePeriod | null {
  if (!isScheduled(state)) return null;
  const period = nextPeriod(state);
  if (period === null) return null;
  if (plan.prepay) {
    const [entry] = period.cuts;
    return { at: period.whole || entry === undefined ? period.start : entry.at, period };
  }
  // A pause bills its last period at its own date: dueSettlement.
  return isPausedIn(state, period) ? null : { at: state.schedule.endOf(period), period };
}

/** A pause or resume within a period that has been charged, or a period that was charged only in part. */
function dueSettlement(state: SubscriptionState, plan: PlanTerms): DuePeriod | null {
  if (!isBilled(state)) return null;
  const { ended_periods, period } = state.receivable;
  const left = ended_periods.find(({ changed }) => changed === undefined);
  if (left !== undefined) return { at: unsettledCuts(left)[0]?.at ?? left.start, period: left };
  if (period === null || period.run !== state.schedule.run) return null;
  const [first] = settleableCuts(state, period);
  if (!plan.prepay) {
    return isPaused(state) && isPausedIn(state, period) && first ? { at: state.paused_at, period } : null;
  }
  if (period.base_minor === null) return null;
  if (first) return { at: first.at, period };
  return hasGrown(state, plan, period) ? { at: period.end, period } : null;
}

/** The date at which the status becomes final; null while periods are left to charge. */
function finishDate(state: SubscriptionState): Date | null {
  if (nextPeriod(state) !== null) return null;
  if (state.status === 'ACTIVE') return state.schedule.end;
  if (state.status !== 'NON_RENEWING') return null;
  const { period } = state.receivable;
  return period !== null && isStopped(state, period) ? state.schedule.endOf(period) : state.ending_date;
}

function oldest(items: readonly DueAction[]): DueAction | null {
  return items.reduce<DueAction | null>((first, item) => (first && first.at <= item.at ? first : item), null);
}

function authenticationEnd(since: Date): Date {
  return new Date(since.getTime() + AUTHENTICATION_MS);
}
