import { fieldFault } from '@commerce/kernel';
import { naturalEnd, unitsBilled } from '../cycle/cycle-calendar.js';
import type { SubscriptionState, Term } from './subscription-state.js';
import type { PlanTerms } from './subscription-terms.js';

/** The parts of a term that a request names; undefined: not named, null: taken away. */
export interface TermInput {
  readonly infinite?: boolean | null;
  readonly ending_date?: Date | null;
  readonly interval_total?: number | null;
}

/**
 * The term that holds after a request. Of several that it names infinite is kept, else ending_date, else
 * interval_total, and the one that is kept takes the place of whatever held before.
 */
export function keptTerm(current: Term, input: TermInput): Term {
  const { infinite, ending_date, interval_total } = input;
  if (infinite === true) return { infinite: true, ending_date: null, interval_total: null };
  if (ending_date) return { infinite: false, ending_date, interval_total: null };
  if (typeof interval_total === 'number') return { infinite: false, ending_date: null, interval_total };
  return {
    infinite: infinite === undefined ? current.infinite : false,
    ending_date: ending_date === undefined ? current.ending_date : null,
    interval_total: interval_total === undefined ? current.interval_total : null,
  };
}

export function namesTerm({ infinite, ending_date, interval_total }: TermInput): boolean {
  return infinite !== undefined || ending_date !== undefined || interval_total !== undefined;
}

export function sameTerm(a: Term, b: Term): boolean {
  return (
    a.infinite === b.infinite &&
    a.ending_date?.getTime() === b.ending_date?.getTime() &&
    a.interval_total === b.interval_total
  );
}

/**
 * Faults `value.invalid` for a term that contradicts what has happened: an ending_date in the past or before the
 * running period, an interval_total that is used up. `state` holds the new term.
 */
export function requireTerm(state: SubscriptionState, plan: PlanTerms, now: Date): void {
  const { ending_date, interval_total } = state;
  if (ending_date !== null) requireEndingDate(state, ending_date, now);
  if (interval_total === null) return;
  const billed = unitsBilled(state, plan);
  if (interval_total <= billed) {
    throw fieldFault('interval_total', `interval_total must be above the ${billed} intervals billed already`);
  }
  const end = naturalEnd(state, plan);
  if (end !== null && end <= now)
    throw fieldFault('interval_total', 'interval_total must not end in the past');
}

function requireEndingDate(state: SubscriptionState, ending_date: Date, now: Date): void {
  if (ending_date <= now) throw fieldFault('ending_date', 'ending_date must not be in the past');
  if (state.starting_date !== null) requireEndAfterStart(state, state.starting_date);
  const period = state.current_billing_date_period_start;
  if (period !== null && ending_date < period) {
    throw fieldFault('ending_date', 'ending_date must not be before the current period');
  }
}

export function requireEndAfterStart({ ending_date }: Term, starting_date: Date): void {
  if (ending_date !== null && ending_date <= starting_date) {
    throw fieldFault('ending_date', 'ending_date must be after starting_date');
  }
}
