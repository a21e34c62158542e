import { unitsBegunBefore, unitsUpTo } from '../calendar/calendar.js';
import { beginPeriod, held, type BillingPeriod, type CreditTo } from '../lines/billing-period.js';
import { discounted, laterBy, type Discount } from '../pricing/discount.js';
import type { PlanTerms, Subscribed, Terms } from '../pricing/terms.js';
import { timingOf } from '../lines/settlement.js';
import type { Decider } from './decided-by.js';
import { exchanged, setupDue } from './exchanging.js';
import { periodHolding, type Line } from '../lines/line.js';
import { lineOf, withLine, type FutureState, type RunningState } from './subscription-state.js';
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
  const line = lineOf(before);
  if (before.status === 'FUTURE' || before.in_trial) {
    const subscribed = withDiscount(to, line.subscribed, null, 0);
    return exchanged(before, subscribed, terms.for(to.subscribed), { set_by: to.set_by, at });
  }
  const timing = timingOf(plan);
  const keeps = line.schedule.hasIntervals(plan);
  const after = keeps ? changedOnCalendar(line, to, at) : changedOnNewCalendar(line, to, plan, at);
  // Where nothing is charged before the end of the period, the setup fee is not either.
  const waits = keeps && line.timing === 'arrears' && timing === 'arrears';
  const running = waits ? periodHolding(line, at) : null;
  const setup_due = setupDue(before.receivable, plan, running?.end ?? at);
  const isDivided = after.periods !== line.periods;
  const receivable = { ...before.receivable, setup_due };
  const state = withLine<S>({ ...before, receivable }, { ...after, timing });
  const last_prorate_date = isDivided ? at : before.last_prorate_date;
  return { ...state, last_prorate_date, pending_change: null, quote: null };
}

function changedOnCalendar(line: Line, to: NewTerms, at: Date): Line {
  const subscribed = withDiscount(to, line.subscribed, null, unitsUpTo(line.schedule, at));
  return { ...line, subscribed, periods: heldFrom(line, subscribed, to, at) };
}

function changedOnNewCalendar(line: Line, to: NewTerms, plan: PlanTerms, at: Date): Line {
  const schedule = line.schedule.anchoredAnew(at, at).withIntervals(plan);
  const subscribed = withDiscount(to, line.subscribed, unitsBegunBefore(line.schedule, at), 0);
  const left = heldFrom(line, null, to, at).filter(hasHeld);
  const periods = [...left, beginPeriod(schedule, 0, subscribed)];
  return { ...line, subscribed, schedule, next_period: 1, periods };
}

/** The periods, in which these terms hold from `at` on: in the running one, or several for a quote answered late. */
function heldFrom(
  { schedule, periods }: Line,
  subscribed: Subscribed | null,
  { credit }: NewTerms,
  at: Date,
): readonly BillingPeriod[] {
  const isFrom = ({ run, end }: BillingPeriod): boolean => run === schedule.run && at < end;
  if (!periods.some(isFrom)) return periods;
  return periods.map((period) => {
    const from = at > period.start ? at : period.start;
    return isFrom(period) ? { ...held(period, from, subscribed), credit_to: credit } : period;
  });
}

/** Whether anything held in the period or was charged for it: one that is left at its very start is none. */
function hasHeld({ spans, books }: BillingPeriod): boolean {
  return books.length > 0 || spans.some(({ terms }) => terms !== null);
}

/** A scheduled change takes effect; one to the terms that the subscription has by then changes nothing. */
export function scheduledChanged(before: RunningState, terms: Terms, to: NewTerms, at: Date): RunningState {
  return changesTerms(lineOf(before).subscribed, to)
    ? changed(before, terms, to, at)
    : { ...before, pending_change: null };
}

/** After a pause, the change that waited for its end. */
export function withScheduled(
  { state, event }: Transition<RunningState>,
  terms: Terms,
  at: Date,
): Transition<RunningState> {
  const { pending_change: pending } = state;
  const { schedule } = lineOf(state);
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
