import { Schedule } from '../calendar/schedule.js';
import type { PlanTerms, Subscribed, Terms } from '../pricing/terms.js';
import { timingOf } from '../lines/settlement.js';
import type { Receivable } from '../receivable/receivable.js';
import type { Decider } from './decided-by.js';
import { daysLater } from './starting.js';
import {
  lineOf,
  withLine,
  withReceivable,
  type CreatedState,
  type FutureState,
  type RunningState,
} from './subscription-state.js';

/** Who exchanges a plan, and when. */
interface Exchange {
  readonly set_by?: Decider;
  readonly at: Date;
}

/**
 * Exchanges plan and quantity of a subscription that has not been billed yet: dates stay, nothing but a setup fee is
 * charged. A user's trial ends no later than that of the new plan would have.
 */
export function exchanged<S extends CreatedState | FutureState | RunningState>(
  before: S,
  subscribed: Subscribed,
  terms: Terms,
  { set_by = 'ADMIN', at }: Exchange,
): S {
  const { plan } = terms;
  const { receivable } = before;
  if (before.status === 'CREATED') {
    // A fee that is not due yet is found due by the start.
    const setup_due = plan.setup_fee_minor > 0 ? receivable.setup_due : null;
    return { ...withReceivable<CreatedState>(before, { setup_due }), subscribed } as S;
  }
  const { schedule } = lineOf(before);
  const { starting_date } = schedule.facts;
  const kept = set_by === 'USER' ? withShorterTrial(before, terms, at) : schedule;
  const setup_due = setupDue(receivable, plan, starting_date > at ? starting_date : at);
  const line = { subscribed, schedule: kept.withIntervals(plan), timing: timingOf(plan) };
  const charged: RunningState | FutureState = { ...before, receivable: { ...receivable, setup_due } };
  const after = withLine(charged, line);
  return (after.status === 'ACTIVE' ? { ...after, pending_change: null, quote: null } : after) as S;
}

/** When the setup fee is due under a plan: once per subscription, by the plan in force. */
export function setupDue(
  { setup_due, setup_charged }: Pick<Receivable, 'setup_due' | 'setup_charged'>,
  { setup_fee_minor }: Pick<PlanTerms, 'setup_fee_minor'>,
  at: Date,
): Date | null {
  return setup_fee_minor > 0 && !setup_charged ? (setup_due ?? at) : null;
}

/** The calendar with the trial of the new plan, counted from the start, where that ends earlier; now at the earliest. */
function withShorterTrial(
  before: FutureState | RunningState,
  { plan, settings }: Terms,
  now: Date,
): Schedule {
  const { schedule } = lineOf(before);
  const { starting_date, trial_ending_date } = schedule.facts;
  const given = daysLater(starting_date, plan.trial_days, settings);
  const anchor = given > now ? given : now;
  if (trial_ending_date === null || anchor >= trial_ending_date) return schedule;
  const hasNone = before.status === 'FUTURE' && anchor <= starting_date;
  return new Schedule({ ...schedule.facts, anchor, trial_ending_date: hasNone ? null : anchor });
}
