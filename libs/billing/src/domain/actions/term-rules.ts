import { fieldFault } from '@commerce/kernel';
import {
  isScheduled,
  lineOf,
  shownTerm,
  startingDate,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Term } from '../calendar/term.js';
import { runningPeriod } from '../lines/line.js';

/**
 * Checks a new term, which `state` holds, against the past.
 * @throws Fault `value.invalid` for an ending_date in the past or before the current period, or an interval_total that
 * is used up
 */
export function requireTerm(state: SubscriptionState, now: Date): void {
  const { ending_date, interval_total } = shownTerm(state);
  if (ending_date !== null) requireEndingDate(state, ending_date, now);
  if (interval_total === null) return;
  const billed = unitsBilled(state);
  if (interval_total <= billed) {
    throw fieldFault('interval_total', `interval_total must be above the ${billed} intervals billed already`);
  }
  const end = isScheduled(state) ? lineOf(state).schedule.end : null;
  if (end !== null && end <= now)
    throw fieldFault('interval_total', 'interval_total must not end in the past');
}

function requireEndingDate(state: SubscriptionState, ending_date: Date, now: Date): void {
  if (ending_date <= now) throw fieldFault('ending_date', 'ending_date must not be in the past');
  requireEndAfterStart(shownTerm(state), startingDate(state));
  const period = state.derived.current_billing_date_period_start;
  if (period !== null && ending_date < period) {
    throw fieldFault('ending_date', 'ending_date must not be before the current period');
  }
}

export function requireEndAfterStart({ ending_date }: Term, starting_date: Date | null): void {
  if (ending_date !== null && starting_date !== null && ending_date <= starting_date) {
    throw fieldFault('ending_date', 'ending_date must be after starting_date');
  }
}

/** @throws Fault `value.invalid` for a date in the past, or after the end that the subscription already has */
export function requireStopDate(end: Date | null, date: Date, now: Date): void {
  if (date < now) throw fieldFault('ending_date', 'ending_date must not be in the past');
  if (end !== null && date > end) {
    throw fieldFault(
      'ending_date',
      'ending_date must not be after the end that the subscription has already',
    );
  }
}

/**
 * Allows a stop now only, as no service is left that could end later.
 * @throws Fault `value.invalid` for any other date
 */
export function requireStopNow(date: Date, now: Date): void {
  requireStopDate(null, date, now);
  if (date > now)
    throw fieldFault('ending_date', 'ending_date cannot lie ahead while the subscription is paused');
}

/** Whole interval units that have been billed, in all runs. */
function unitsBilled(state: SubscriptionState): number {
  if (!isScheduled(state)) return 0;
  const line = lineOf(state);
  const { schedule } = line;
  const running = runningPeriod(line);
  // In arrears, the running period is not billed yet.
  const isBilled = running === null || running.settled_until > running.start;
  return schedule.unitsBy(isBilled ? schedule.period(line.next_period).start : running.start);
}
