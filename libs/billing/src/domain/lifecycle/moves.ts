import { fieldFault, instantOfWall, wallTimeOf } from '@commerce/kernel';
import { endOfSlice, enterSlice, naturalEnd } from '../cycle/cycle-calendar.js';
import { applied, withDerived } from '../cycle/cycle-derived.js';
import type { Transition } from '../cycle/decision.js';
import { edgeEvent, movesFrom, requireMove, stateConflict } from './lifecycle.js';
import {
  keptTerm,
  namesTerm,
  requireEndAfterStart,
  requireTerm,
  sameTerm,
  type TermInput,
} from './moves-term.js';
import { paused, resumed } from './pausing.js';
import { cancelledUnbilled, requireStopDate, restarted, stopped } from './stopping.js';
import type { StateChanges, SubscriptionState, Term } from './subscription-state.js';
import type { CompanyTerms, PlanTerms, Terms } from './subscription-terms.js';

export { keptTerm, type TermInput };

export interface CreateInput extends TermInput {
  readonly has_payment_method: boolean;
  readonly starting_date?: Date | null;
}

export interface StartInput extends TermInput {
  readonly starting_date?: Date | null;
  readonly reanchor?: boolean;
  /** The call brings another one: what is owed is then collected at once. */
  readonly new_payment_method: boolean;
}

export interface ChangeInput extends TermInput {
  readonly new_payment_method: boolean;
}

const NO_TERM = { infinite: false, ending_date: null, interval_total: null };

/**
 * The state of a subscription that has just been created. With a payment method its setup fee is due at once.
 * Faults: `value.invalid` naming the field.
 */
export function createSubscription(plan: PlanTerms, input: CreateInput, now: Date): SubscriptionState {
  const state: SubscriptionState = {
    ...UNBILLED,
    ...keptTerm(NO_TERM, input),
    currency: plan.currency,
    starting_date: input.starting_date ?? null,
    setup_due: plan.setup_fee > 0 && input.has_payment_method ? now : null,
  };
  if (state.starting_date === null) requireTerm(state, plan, now);
  else requireEndAfterStart(state, state.starting_date);
  return applied(state, withDerived(state, {}, plan));
}

/**
 * Starts a created subscription, takes up a paused one or takes back a stop at a date.
 * Faults: `subscription.state_conflict`; `value.invalid` naming the field.
 */
export function startSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: StartInput,
  now: Date,
): Transition {
  requireMove(state, 'start', now);
  if (state.status !== 'CREATED' && input.starting_date) {
    throw fieldFault('starting_date', 'starting_date is for the first start');
  }
  const { plan } = terms;
  const term = keptTerm(state.term_before_stop ?? state, input);
  const transition = startedBy(applied(state, term), state, terms, input, now);
  const started = applied(applied(state, term), transition.changes);
  // The first start may lie in the past, and with it the end: then all of it is billed at once.
  if (state.status !== 'CREATED' && namesTerm(input)) requireTerm(started, plan, now);
  const changes = { ...term, ...transition.changes, ...refitted(started, plan) };
  return told(state, { ...changes, ...collects(state, input, now) }, plan, transition.event);
}

/** Stops at once, or at a date. In trial, and before the start, nothing is left to be settled. Faults as of start. */
export function stopSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly ending_date?: Date | null },
  now: Date,
): Transition {
  requireMove(state, 'stop', now);
  requireNotEnded(state, terms.plan, now);
  const date = input.ending_date ?? now;
  const isBilled = state.status === 'ACTIVE' && !state.in_trial;
  if (isBilled) requireStopDate(state, terms, date, now);
  const { changes, event } = isBilled ? stopped(state, terms, date, now) : cancelledUnbilled(state, now);
  return told(state, changes, terms.plan, event);
}

/** Pauses now, until it is started again or `resume_at` comes. Faults as of start. */
export function pauseSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly resume_at?: Date | null },
  now: Date,
): Transition {
  requireMove(state, 'pause', now);
  requireNotEnded(state, terms.plan, now);
  const resume_at = input.resume_at ?? null;
  if (resume_at !== null && resume_at <= now)
    throw fieldFault('resume_at', 'resume_at must be in the future');
  const { changes, event } = paused(state, terms.plan, now, 'pause', resume_at);
  return told(state, changes, terms.plan, event);
}

/**
 * Another term or payment method. The event is null where nothing changes that anyone sees.
 * Faults: `subscription.state_conflict` for the term of one that ends or has ended; `value.invalid`.
 */
export function changeSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: ChangeInput,
  now: Date,
): Transition {
  const term = keptTerm(state, input);
  const changesTerm = namesTerm(input) && !sameTerm(term, state);
  const changes: StateChanges = {
    ...(changesTerm ? newTerm(state, terms, term, now) : {}),
    ...collects(state, input, now),
  };
  if (Object.keys(changes).length === 0) return { changes, event: null };
  return told(state, changes, terms.plan, 'subscription.updated');
}

function startedBy(
  state: SubscriptionState,
  before: SubscriptionState,
  terms: Terms,
  input: StartInput,
  now: Date,
): Transition {
  if (state.status === 'PAUSED') {
    return resumed(state, terms.plan, now, 'start', input.reanchor ?? false);
  }
  if (state.status === 'NON_RENEWING') {
    return restarted(before, keptTerm(before.term_before_stop ?? before, input));
  }
  return startedFirst(state, terms, input.starting_date ?? state.starting_date ?? now, now);
}

function startedFirst(
  state: SubscriptionState,
  { plan, settings }: Terms,
  starting_date: Date,
  now: Date,
): Transition {
  requireEndAfterStart(state, starting_date);
  const trial_ending_date = plan.trial_days > 0 ? daysLater(starting_date, plan.trial_days, settings) : null;
  const isNow = starting_date <= now;
  const status = isNow ? 'ACTIVE' : 'FUTURE';
  const owesSetup = plan.setup_fee > 0 && !state.setup_charged && state.setup_due === null;
  const changes: StateChanges = {
    status,
    active: isNow,
    in_trial: isNow && trial_ending_date !== null,
    starting_date,
    trial_ending_date,
    anchor: trial_ending_date ?? starting_date,
    timezone: settings.timezone,
    ...(owesSetup ? { setup_due: isNow ? now : starting_date } : {}),
  };
  const slice = enterSlice(applied(state, changes), plan, 0);
  return {
    changes: { ...changes, slice: slice.end > slice.start ? slice : null },
    event: edgeEvent('CREATED', 'start', status),
  };
}

function newTerm(state: SubscriptionState, { plan }: Terms, term: Term, now: Date): StateChanges {
  const { status } = state;
  const ends = status === 'NON_RENEWING' || status === 'COMPLETED' || status === 'CANCELLED';
  if (ends || (status === 'ACTIVE' && !state.active)) {
    throw stateConflict(
      state,
      `The end of a subscription that is ${status} cannot change`,
      movesFrom(state, now),
    );
  }
  requireNotEnded(state, plan, now);
  const after = applied(state, term);
  requireTerm(after, plan, now);
  return { ...term, ...refitted(after, plan) };
}

/** A slice that nothing has been charged of ends where the subscription now ends. */
function refitted(state: SubscriptionState, plan: PlanTerms): StateChanges {
  const { slice } = state;
  if (slice === null || slice.base !== null) return {};
  const end = endOfSlice(state, plan, slice);
  return { slice: { ...slice, end: end < slice.start ? slice.start : end } };
}

/** A new payment method is to collect what is owed, and what is still being collected with the old one. */
function collects(
  state: SubscriptionState,
  { new_payment_method }: { readonly new_payment_method: boolean },
  now: Date,
): StateChanges {
  const owes = state.outstanding_amount > 0 || state.open_payment !== null;
  if (!new_payment_method || !owes || state.status === 'CANCELLED') return {};
  return { collect_debt: { at: now, counts: state.collect_debt?.counts ?? false } };
}

function requireNotEnded(state: SubscriptionState, plan: PlanTerms, now: Date): void {
  const end = state.status === 'ACTIVE' ? naturalEnd(state, plan) : null;
  if (end !== null && end <= now) throw stateConflict(state, 'The subscription has reached its end', []);
}

function told(
  state: SubscriptionState,
  changes: StateChanges,
  plan: PlanTerms,
  event: Transition['event'],
): Transition {
  return { changes: withDerived(state, changes, plan), event };
}

function daysLater(from: Date, days: number, { timezone }: CompanyTerms): Date {
  const { day, ms } = wallTimeOf(from, timezone);
  return instantOfWall({ day: day + days, ms }, timezone);
}

const UNBILLED: Omit<SubscriptionState, 'currency' | 'starting_date' | 'setup_due'> = {
  ...NO_TERM,
  status: 'CREATED',
  active: false,
  in_trial: false,
  trial_ending_date: null,
  current_billing_date_period_start: null,
  current_billing_date_period_end: null,
  next_billing_date: null,
  last_billed_date: null,
  last_billed_amount: null,
  prorate_amount: 0,
  last_prorate_date: null,
  failed_attempts: 0,
  outstanding_amount: 0,
  collection_state: 'OK',
  reason: null,
  paused_at: null,
  resume_at: null,
  due: null,
  anchor: null,
  timezone: null,
  run: 0,
  units_before: 0,
  next_slice: 0,
  last_slice: null,
  slice: null,
  closing: [],
  setup_charged: false,
  paid_before: false,
  open_payment: null,
  collect_debt: null,
  debts: 0,
  term_before_stop: null,
};
