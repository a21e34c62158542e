import { unitsUpTo } from '../calendar/calendar.js';
import { earlier } from '../calendar/schedule.js';
import { discounted, laterBy, type Discount } from '../pricing/discount.js';
import {
  enterPeriod,
  endedBefore,
  enteredAt,
  isPeriod,
  onOwnTerms,
  withStop,
  type BillingPeriod,
  type CreditTo,
  type PeriodCut,
} from '../receivable/billing-period.js';
import type { StartedReceivable } from '../receivable/receivable.js';
import type { PlanTerms, Subscribed, Terms } from '../pricing/terms.js';
import { begunDay } from './begun-day.js';
import { withoutPeriod } from './periods.js';
import type { CreatedState, FutureState, RunningState } from './subscription-state.js';
import type { Transition } from './transition.js';

/** The plan and quantity after a change, and what becomes of a credit. */
export interface NewTerms {
  readonly subscribed: Subscribed;
  readonly credit: CreditTo;
  /** The discount of a coupon that the change brings, counted from the change; it replaces an earlier one. */
  readonly discount?: Discount;
}

/**
 * Changes plan and quantity as of `at`, in a new run. With the same intervals the calendar stays and the running period
 * is divided; otherwise a new calendar begins. The period before the change keeps its own terms and waits to be settled
 * together with the next charge. `isPriced` false: the period after it is known, and no price is read.
 */
export function changed<S extends RunningState | FutureState>(
  before: S,
  terms: Terms,
  to: NewTerms,
  at: Date,
  isPriced = true,
): S {
  const { plan } = terms.for(to.subscribed);
  if (before.status === 'FUTURE' || before.in_trial) {
    return exchanged(before, withDiscount(to, before.subscribed, null, 0), plan);
  }
  const { schedule, subscribed, receivable } = before;
  const keeps = schedule.hasIntervals(plan);
  const next = keeps ? schedule.continued() : schedule.anchoredAnew(at, at).withIntervals(plan);
  const index = schedule.indexAt(at);
  const first = unitsUpTo(schedule, at);
  const running = isPeriod(receivable.period, schedule, index) ? receivable.period : null;
  const resume = running?.cuts.findLast((cut) => cut.takes === 'unused' && cut.at.getTime() === at.getTime());
  const isBegun = running !== null && (running.base_minor !== null || enteredAt(running) < at);
  const waits = keeps && !terms.plan.prepay && !plan.prepay;
  const due = (period: BillingPeriod): Date => (waits ? period.end : at);
  const others = isBegun ? receivable.ended_periods : left(receivable, running).ended_periods;
  const ended = isBegun
    ? [...others, { ...endedAt(running, at, resume), changed: { due: due(running), credit: to.credit } }]
    : others;
  const period = keeps
    ? enterPeriod(next, index, at, isPriced ? begunDay(before, terms, running, at) : {})
    : enterPeriod(next, 0);
  return {
    ...before,
    subscribed: withDiscount(to, subscribed, keeps ? null : first, keeps ? first : 0),
    schedule: next,
    pending_change: null,
    receivable: {
      ...receivable,
      ended_periods: ended.map((one) => endedBy(onOwnTerms(one, subscribed), waits ? null : at)),
      period,
      next_period: period.index,
      last_prorate_date: isBegun ? at : receivable.last_prorate_date,
    },
  };
}

/** Exchanges plan and quantity of a subscription that has not been billed yet: dates stay, nothing is charged. */
export function exchanged<S extends CreatedState | FutureState | RunningState>(
  before: S,
  subscribed: Subscribed,
  plan: PlanTerms,
): S {
  const setup_due = plan.setup_fee_minor > 0 ? before.receivable.setup_due : null;
  const after = { ...before, subscribed, receivable: { ...before.receivable, setup_due } };
  if (after.status === 'CREATED') return after;
  const schedule = after.schedule.withIntervals(plan);
  const { period } = after.receivable;
  const receivable = { ...after.receivable, period: period && enterPeriod(schedule, period.index) };
  return { ...after, schedule, receivable, ...(after.status === 'ACTIVE' ? { pending_change: null } : {}) };
}

/** A scheduled change takes effect; one to the terms that the subscription has by then divides no period. */
export function scheduledChanged(before: RunningState, terms: Terms, to: NewTerms, at: Date): RunningState {
  return changesTerms(before.subscribed, to)
    ? changed(before, terms, to, at)
    : { ...before, pending_change: null };
}

/** After a pause, the change that waited for its end. */
export function withScheduled(
  { state, event }: Transition<RunningState>,
  terms: Terms,
  at: Date,
): Transition<RunningState> {
  const { pending_change: pending, schedule } = state;
  if (pending === null || (pending.at !== null && pending.at > at)) return { state, event };
  const isOver = schedule.end !== null && schedule.end <= at;
  return {
    state: isOver ? { ...state, pending_change: null } : scheduledChanged(state, terms, pending, at),
    event,
  };
}

/**
 * Plan, quantity and discount after a change. An earlier discount that goes on in a new calendar has lowered `passed`
 * intervals; null: the calendar stays.
 */
export function withDiscount(
  { subscribed: { plan, quantity }, discount: given }: NewTerms,
  before: Subscribed,
  passed: number | null,
  first: number,
): Subscribed {
  const kept = passed === null ? before.discount : laterBy(before.discount, passed);
  const discount = given === undefined ? kept : laterBy(given, 0 - first);
  return { plan, quantity, ...discounted(discount) };
}

/** The period as the change ends it. Of one that is resumed at the same instant, nothing has held since. */
function endedAt(period: BillingPeriod, at: Date, resume: PeriodCut | undefined): BillingPeriod {
  if (resume === undefined) return withStop(period, at);
  return { ...period, cuts: [...period.cuts, { at, takes: 'stop', after: endedBefore(period, resume) }] };
}

/** A period that the change leaves out: one that ended at it, or that begins with it and was not charged. */
function left(receivable: StartedReceivable, running: BillingPeriod | null): StartedReceivable {
  return running === null ? withoutPeriod(receivable) : receivable;
}

/** `due` is the date by which a new calendar settles a period that a change has ended; null: the calendar stays. */
function endedBy(period: BillingPeriod, due: Date | null): BillingPeriod {
  const { changed: change } = period;
  if (change === undefined || due === null) return period;
  return { ...period, changed: { ...change, due: earlier(change.due, due) } };
}

/** Whether the change brings another plan or quantity, or a coupon. */
export function changesTerms(
  { plan, quantity }: Subscribed,
  { subscribed: to, discount }: NewTerms,
): boolean {
  return discount !== undefined || plan !== to.plan || quantity !== to.quantity;
}
