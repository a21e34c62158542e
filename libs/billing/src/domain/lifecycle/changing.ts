import { unitsBegunBefore, unitsUpTo } from '../calendar/calendar.js';
import { beginPeriod, held, type BillingPeriod, type CreditTo } from '../lines/billing-period.js';
import { discounted, laterBy, type Discount } from '../pricing/discount.js';
import type { PlanTerms, Subscribed, Terms } from '../pricing/terms.js';
import { timingOf } from '../lines/settlement.js';
import type { Decider } from './decided-by.js';
import { exchanged, setupDue } from './exchanging.js';
import { periodHolding } from './periods.js';
import {
  withStarted,
  type FutureState,
  type RunningState,
  type ScheduledState,
} from './subscription-state.js';
import type { Transition } from './transition.js';

/** The plan and quantity after a change, and what becomes of a credit. */
export interface NewTerms {
  readonly subscribed: Subscribed;
  readonly credit: CreditTo;
  /** Who asked for the change; the company, unless given. */
  readonly set_by?: Decider;
  /** The discount of a coupon that the change brings, counted from the change; it replaces an earlier one. */
  readonly discount?: Discount;
}

/**
 * Changes plan and quantity as of `at`. With the same intervals the calendar stays, and other terms hold in the running
 * period from then on; otherwise a new calendar begins, and nothing holds in the running period any more.
 */
export function changed<S extends RunningState | FutureState>(
  before: S,
  terms: Terms,
  to: NewTerms,
  at: Date,
): S {
  const { plan } = terms.for(to.subscribed);
  if (before.status === 'FUTURE' || before.in_trial) {
    const subscribed = withDiscount(to, before.subscribed, null, 0);
    return exchanged(before, subscribed, terms.for(to.subscribed), { set_by: to.set_by, at });
  }
  const keeps = before.schedule.hasIntervals(plan);
  const after = keeps ? changedOnCalendar(before, to, at) : changedOnNewCalendar(before, to, plan, at);
  // Where nothing is charged before the end of the period, the setup fee is not either.
  const waits = keeps && timingOf(terms.plan) === 'arrears' && timingOf(plan) === 'arrears';
  const running = waits ? periodHolding(before, at) : null;
  const setup_due = setupDue(before.receivable, plan, running?.end ?? at);
  return { ...withStarted<S>(after, { setup_due }), pending_change: null, quote: null };
}

function changedOnCalendar<S extends RunningState | FutureState>(before: S, to: NewTerms, at: Date): S {
  const subscribed = withDiscount(to, before.subscribed, null, unitsUpTo(before.schedule, at));
  const { periods } = before.receivable;
  if (!periods.some((period) => isFrom(before, period, at))) return { ...before, subscribed };
  const after = periods.map((period) =>
    isFrom(before, period, at)
      ? { ...held(period, later(at, period.start), subscribed), credit_to: to.credit }
      : period,
  );
  return withPeriods({ ...before, subscribed }, after, at);
}

/** Whether a period of the present calendar ends after `at`: the running one, or several for a quote answered late. */
function isFrom({ schedule }: ScheduledState, { run, end }: BillingPeriod, at: Date): boolean {
  return run === schedule.run && at < end;
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function changedOnNewCalendar<S extends RunningState | FutureState>(
  before: S,
  to: NewTerms,
  plan: PlanTerms,
  at: Date,
): S {
  const { receivable } = before;
  const schedule = before.schedule.anchoredAnew(at, at).withIntervals(plan);
  const subscribed = withDiscount(to, before.subscribed, unitsBegunBefore(before.schedule, at), 0);
  const left = receivable.periods.map((period) =>
    isFrom(before, period, at)
      ? { ...held(period, later(at, period.start), null), credit_to: to.credit }
      : period,
  );
  const periods = [...left.filter(hasHeld), beginPeriod(schedule, 0, subscribed)];
  const after = withStarted({ ...before, subscribed, schedule }, { next_period: 1 });
  return withPeriods(after, periods, at);
}

function withPeriods<S extends RunningState | FutureState>(
  state: S,
  periods: readonly BillingPeriod[],
  last_prorate_date: Date,
): S {
  return withStarted(state, { periods, last_prorate_date });
}

/** Whether anything held in the period or was charged for it: one that is left at its very start is none. */
function hasHeld({ spans, books }: BillingPeriod): boolean {
  return books.length > 0 || spans.some(({ terms }) => terms !== null);
}

/** A scheduled change takes effect; one to the terms that the subscription has by then changes nothing. */
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

/** Whether the change brings another plan or quantity, or a coupon. */
export function changesTerms(
  { plan, quantity }: Subscribed,
  { subscribed: to, discount }: NewTerms,
): boolean {
  return discount !== undefined || plan !== to.plan || quantity !== to.quantity;
}
