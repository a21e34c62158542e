import { fieldFault, TRY_AGAIN_SOON } from '@commerce/kernel';
import { keptTerm, namesTerm, sameTerm, type Term, type TermInput } from '../calendar/term.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { allowedActions, requireAllowed, stateConflict } from '../lifecycle/lifecycle.js';
import { withScheduled } from '../lifecycle/changing.js';
import { paused, resumed } from '../lifecycle/pausing.js';
import { requireFewSpans } from '../lifecycle/periods.js';
import { chargesOf } from '../receivable/open-payments.js';
import { paymentOfQuote, withoutQuote } from '../lifecycle/quoted-state.js';
import { started } from '../lifecycle/starting.js';
import { cancelledInPause, cancelledUnbilled, restarted, stopped } from '../lifecycle/stopping.js';
import {
  lasting,
  lineOf,
  shownTerm,
  subscribedOf,
  withReceivable,
  type CreatedState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import { requireEndAfterStart, requireStopDate, requireStopNow, requireTerm } from './term-rules.js';

export interface CreateInput extends TermInput {
  readonly has_payment_method: boolean;
  readonly starting_date?: Date | null;
}

export interface StartInput extends TermInput {
  readonly starting_date?: Date | null;
  readonly reanchor?: boolean;
  /** The request names another payment method: the debt is then collected immediately. */
  readonly new_payment_method: boolean;
}

export interface ChangeInput extends TermInput {
  readonly new_payment_method: boolean;
}

/**
 * The state of a new subscription: `blank`, completed by the request. With a payment method its setup fee is due
 * immediately.
 * @throws Fault `value.invalid` naming the field
 */
export function createSubscription(
  blank: CreatedState,
  plan: PlanTerms,
  input: CreateInput,
  now: Date,
): CreatedState {
  const setup_due = plan.setup_fee_minor > 0 && input.has_payment_method ? now : null;
  const term = keptTerm(blank.term, input);
  const starting_date = input.starting_date ?? null;
  const state: CreatedState = { ...withReceivable(blank, { setup_due }), term, starting_date };
  if (starting_date === null) requireTerm(state, now);
  else requireEndAfterStart(term, starting_date);
  return withDerivedFields(state, plan);
}

/**
 * Starts a created subscription, resumes a paused one, or takes back a future stop.
 * @throws Fault `subscription.state_conflict`; `value.invalid` naming the field
 */
export function startSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: StartInput,
  now: Date,
): Transition {
  requireAllowed(state, 'start', now);
  withoutQuoteNow(state, now);
  if (state.status !== 'CREATED' && input.starting_date) {
    throw fieldFault('starting_date', 'starting_date is for the first start');
  }
  const { state: moved, event } = startedBy(state, terms, input, now);
  // A first start may be backdated together with its end: the whole term is then billed immediately.
  if (state.status !== 'CREATED' && namesTerm(input)) requireTerm(moved, now);
  const { plan } = terms.for(subscribedOf(moved));
  return reported(collecting(moved, input, now), plan, event);
}

/**
 * Stops now or at a date. Before the start, and on a stop now in trial or in a pause, cancels immediately.
 * @throws Faults of `startSubscription`
 */
export function stopSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly ending_date?: Date | null },
  now: Date,
): Transition {
  requireAllowed(state, 'stop', now);
  requireNotEnded(state, now);
  const { state: after, event } = stoppedBy(withoutPending(state, now), terms, input.ending_date ?? now, now);
  return reported(after, terms.plan, event);
}

/**
 * Pauses now, until the next start or `resume_at`.
 * @throws Faults of `startSubscription`
 */
export function pauseSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly resume_at?: Date | null },
  now: Date,
): Transition {
  requireAllowed(state, 'pause', now);
  requireNotEnded(state, now);
  const resume_at = input.resume_at ?? null;
  if (resume_at !== null && resume_at <= now)
    throw fieldFault('resume_at', 'resume_at must be in the future');
  if (state.status !== 'ACTIVE') throw impossible(state, 'pause');
  requireFewSpans(state);
  const before = withoutQuoteNow(state, now);
  const { state: after, event } = paused(before, now, 'pause', resume_at);
  return reported(after, terms.plan, event);
}

/**
 * Changes the term or payment method. The event is null where nothing visible to callers changes.
 * @throws Fault `subscription.state_conflict` for the term of a subscription that is ending or has ended;
 * `value.invalid`
 */
export function changeSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: ChangeInput,
  now: Date,
): Transition {
  const shown = shownTerm(state);
  const term = keptTerm(shown, input);
  const isNew = namesTerm(input) && !sameTerm(term, shown);
  const renewed = isNew ? withNewTerm(withoutQuoteNow(state, now), term, now) : state;
  const after = collecting(renewed, input, now);
  return after === state ? { state, event: null } : reported(after, terms.plan, 'subscription.updated');
}

function startedBy(state: SubscriptionState, terms: Terms, input: StartInput, now: Date): Transition {
  switch (state.status) {
    case 'CREATED': {
      const given = { ...state, term: keptTerm(state.term, input) };
      const date = input.starting_date ?? state.starting_date ?? now;
      requireEndAfterStart(given.term, date);
      return started(given, terms, date, now);
    }
    case 'PAUSED': {
      const kept = keptTerm(lineOf(state).schedule.term, input);
      const after = resumed(lasting(state, kept), now, 'start', input.reanchor ?? false);
      return withScheduled(after, terms, now);
    }
    case 'NON_RENEWING':
      return restarted(state, keptTerm(lineOf(state).schedule.term, input));
    case 'FUTURE':
    case 'ACTIVE':
    case 'COMPLETED':
    case 'CANCELLED':
      throw impossible(state, 'start');
  }
}

function stoppedBy(state: SubscriptionState, terms: Terms, date: Date, now: Date): Transition {
  switch (state.status) {
    case 'CREATED':
    case 'FUTURE':
      return cancelledUnbilled(state, now);
    case 'ACTIVE':
      requireStopDate(lineOf(state).schedule.end, date, now);
      return state.in_trial && date <= now ? cancelledUnbilled(state, now) : stopped(state, terms, date, now);
    case 'PAUSED':
      requireStopNow(date, now);
      return cancelledInPause(state, now);
    case 'NON_RENEWING':
    case 'COMPLETED':
    case 'CANCELLED':
      throw impossible(state, 'stop');
  }
}

/** Never thrown: requireAllowed has refused the action before. */
function impossible({ status }: SubscriptionState, action: string): RangeError {
  return new RangeError(`The lifecycle has no ${action} from ${status}`);
}

function withNewTerm(state: SubscriptionState, term: Term, now: Date): SubscriptionState {
  const { status } = state;
  const ends = status === 'NON_RENEWING' || status === 'COMPLETED' || status === 'CANCELLED';
  if (ends || (status === 'ACTIVE' && !state.active)) {
    const message = `The end of a subscription that is ${status} cannot change`;
    throw stateConflict(state, message, allowedActions(state, now));
  }
  requireNotEnded(state, now);
  const after = status === 'CREATED' ? { ...state, term } : lasting(state, term);
  requireTerm(after, now);
  return after;
}

/** A new payment method collects the whole debt, including the amount still being collected with the old one. */
function collecting(
  state: SubscriptionState,
  { new_payment_method }: { readonly new_payment_method: boolean },
  now: Date,
): SubscriptionState {
  const { outstanding_amount_minor, open_payments, collect_debt } = state.receivable;
  const owes = outstanding_amount_minor > 0 || chargesOf(open_payments).length > 0;
  if (!new_payment_method || !owes || state.status === 'CANCELLED') return state;
  return withReceivable(state, { collect_debt: { at: now, counts: collect_debt?.counts ?? false } });
}

/**
 * The state without a change or start that is to come: billing gives up the payment of a quote.
 * @throws Fault `subscription.state_conflict` while that payment is being collected
 */
export function withoutPending(state: SubscriptionState, now: Date): SubscriptionState {
  const before = withoutQuoteNow(state, now);
  if (before.status !== 'ACTIVE' && before.status !== 'PAUSED') return before;
  return before.pending_change === null ? before : { ...before, pending_change: null };
}

/** As `withoutPending`; a scheduled change remains. */
export function withoutQuoteNow<S extends SubscriptionState>(state: S, now: Date): S {
  if (paymentOfQuote(state)?.state !== 'IN_FLIGHT') return withoutQuote(state);
  const message = 'The payment of a change or start is being collected; try again';
  throw stateConflict(state, message, allowedActions(state, now), TRY_AGAIN_SOON);
}

/** Whether its own end has passed, so that only its completion remains. */
export function hasReachedEnd(state: SubscriptionState, now: Date): boolean {
  const end = state.status === 'ACTIVE' ? lineOf(state).schedule.end : null;
  return end !== null && end <= now;
}

function requireNotEnded(state: SubscriptionState, now: Date): void {
  if (hasReachedEnd(state, now)) throw stateConflict(state, 'The subscription has reached its end', []);
}

function reported(state: SubscriptionState, plan: PlanTerms, event: Transition['event']): Transition {
  return { state: withDerivedFields(state, plan), event };
}
