import type { PlanTerms, Terms } from './subscription-terms.js';
import type { Transition } from './decision.js';
import type { SubscriptionState, Term } from './subscription-state.js';

/** The parts of a term that a request names; undefined: not named, null: taken away. */
export interface TermInput {
  readonly infinite?: boolean | null;
  readonly ending_date?: Date | null;
  readonly interval_total?: number | null;
}

export interface CreateInput extends TermInput {
  readonly has_payment_method: boolean;
  readonly starting_date?: Date | null;
}

export interface StartInput extends TermInput {
  readonly starting_date?: Date | null;
  readonly reanchor?: boolean;
  /** Whether the subscription has one after this call. */
  readonly has_payment_method: boolean;
  /** The call brings another one: what is owed is then collected at once. */
  readonly new_payment_method: boolean;
}

export interface ChangeInput extends TermInput {
  readonly new_payment_method: boolean;
}

/** The state of a subscription that has just been created; event subscription.created. */
export function createSubscription(plan: PlanTerms, input: CreateInput, now: Date): SubscriptionState {
  throw new Error(`to be written ${String([plan, input, now])}`);
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
  throw new Error(`to be written ${String([state, terms, input, now])}`);
}

/** Stops at once, or at a date. Faults as of start. */
export function stopSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly ending_date?: Date | null },
  now: Date,
): Transition {
  throw new Error(`to be written ${String([state, terms, input, now])}`);
}

/** Faults as of start. */
export function pauseSubscription(
  state: SubscriptionState,
  terms: Terms,
  input: { readonly resume_at?: Date | null },
  now: Date,
): Transition {
  throw new Error(`to be written ${String([state, terms, input, now])}`);
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
  throw new Error(`to be written ${String([state, terms, input, now])}`);
}

/** The term that is kept where a request names several: infinite, then ending_date, then interval_total. */
export function keptTerm(current: Term, input: TermInput): Term {
  throw new Error(`to be written ${String([current, input])}`);
}
