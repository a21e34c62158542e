import { endingAt, type Term } from '../calendar/term.js';
import type { Subscribed } from '../pricing/terms.js';
import type { PendingChange } from './pending-change.js';
import type { ChangeQuote, StartQuote } from './quote.js';
import { eachLine, type Line, type Lines, type ServiceBounds } from '../lines/line.js';
import type { Receivable } from '../receivable/receivable.js';

export const SUBSCRIPTION_STATUSES = [
  'CREATED',
  'FUTURE',
  'ACTIVE',
  'PAUSED',
  'NON_RENEWING',
  'COMPLETED',
  'CANCELLED',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** OK: no debt. RETRYING: a retry is scheduled. REQUIRES_AUTH: the customer must act. PAST_DUE: debt without either. */
export const COLLECTION_STATES = ['OK', 'RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

/** Fields that follow from the rest of the state; updated after every transition. */
export interface DerivedFields {
  /** The current period (while in trial, the trial), or the last one; null before the start. */
  readonly current_billing_date_period_start: Date | null;
  readonly current_billing_date_period_end: Date | null;
  /** Date of the next period charge; null when there is none. */
  readonly next_billing_date: Date | null;
  readonly collection_state: CollectionState;
  /** Whether service waits for the first payment, which is due or open: under CANCEL only. */
  readonly awaits_first_payment: boolean;
  /** Date of the next action of decideCycle, in business time; null: never, or not while a payment is in flight. */
  readonly due: Date | null;
}

interface AnyState {
  readonly receivable: Receivable;
  readonly derived: DerivedFields;
}

interface BeforeStart extends AnyState {
  readonly subscribed: Subscribed;
  readonly starting_date: Date | null;
  readonly term: Term;
}

interface Started extends AnyState {
  readonly lines: Lines;
  readonly last_prorate_date: Date | null;
}

export interface CreatedState extends BeforeStart {
  readonly status: 'CREATED';
  readonly quote: StartQuote | null;
}

/** Started with a date in the future. */
export interface FutureState extends Started {
  readonly status: 'FUTURE';
}

export interface RunningState extends Started {
  readonly status: 'ACTIVE';
  /** True while service is granted; false when only the last payment is still open. */
  readonly active: boolean;
  readonly in_trial: boolean;
  readonly pending_change: PendingChange | null;
  readonly quote: ChangeQuote | null;
}

interface Paused extends Started {
  readonly paused_at: Date;
}

export interface PausedState extends Paused {
  readonly status: 'PAUSED';
  readonly resume_at: Date | null;
  readonly pending_change: PendingChange | null;
}

/** Stopped. Its schedule keeps the term from before the stop, to which a restart returns. */
export interface EndingState extends Started {
  readonly status: 'NON_RENEWING';
  readonly active: boolean;
  readonly in_trial: boolean;
  /** The date of the stop. */
  readonly ending_date: Date;
  readonly prorate_amount_minor: number;
}

export interface CompletedState extends Started {
  readonly status: 'COMPLETED';
}

interface Cancelled {
  readonly status: 'CANCELLED';
  /** Reason of the cancellation; null when somebody requested it. */
  readonly reason: string | null;
  readonly prorate_amount_minor: number;
}

export type CancelledState = Cancelled & (BeforeStart | Started);

/** Cancelled in a pause, whose days are settled as if it continued: its schedule keeps the term from before. */
export interface CancelledInPauseState extends Cancelled, Paused {
  readonly ending_date: Date;
}

export type EndedState = CompletedState | CancelledState | CancelledInPauseState;

/** The states in which periods are charged. */
export type BilledState = RunningState | PausedState | EndingState | CancelledInPauseState;

/** The statuses with a calendar that continues. */
export type ScheduledState = FutureState | BilledState;

/**
 * The state of a subscription by its status: the fields of its record, under their names. A field that has a meaning in
 * one phase only exists in that phase only.
 */
export type SubscriptionState = CreatedState | ScheduledState | EndedState;

export function isBilled(state: SubscriptionState): state is BilledState {
  return state.status === 'ACTIVE' || state.status === 'NON_RENEWING' || isPaused(state);
}

/** True in a pause, including one that ended with a cancellation. */
export function isPaused(state: SubscriptionState): state is PausedState | CancelledInPauseState {
  return state.status === 'PAUSED' || isCancelledInPause(state);
}

export function isCancelledInPause(state: SubscriptionState): state is CancelledInPauseState {
  return state.status === 'CANCELLED' && 'paused_at' in state;
}

export function isScheduled(state: SubscriptionState): state is ScheduledState {
  return state.status === 'FUTURE' || isBilled(state);
}

export function hasStarted<S extends SubscriptionState>(state: S): state is S & Started {
  return 'lines' in state;
}

/** The term as callers see it: up to the stop, otherwise the subscription's own. */
export function shownTerm(state: SubscriptionState): Term {
  if (state.status === 'NON_RENEWING' || isCancelledInPause(state)) return endingAt(state.ending_date);
  return hasStarted(state) ? lineOf(state).schedule.term : state.term;
}

export function startingDate(state: SubscriptionState): Date | null {
  return hasStarted(state) ? lineOf(state).schedule.facts.starting_date : state.starting_date;
}

export function withReceivable<S extends SubscriptionState>(state: S, changes: Partial<S['receivable']>): S {
  return { ...state, receivable: { ...state.receivable, ...changes } };
}

/** The line of the subscription's plan. */
export function lineOf({ lines }: Pick<Started, 'lines'>): Line {
  return lines[0];
}

export function withLine<S extends Started>(state: S, changes: Partial<Line>): S {
  const [first, ...others] = state.lines;
  return { ...state, lines: [{ ...first, ...changes }, ...others] };
}

/** The plan and quantity of a subscription, with the discount of its coupon. */
export function subscribedOf(state: SubscriptionState): Subscribed {
  return hasStarted(state) ? lineOf(state).subscribed : state.subscribed;
}

/** A pause or stop, which bounds the service of all lines. */
export function boundsOf(state: SubscriptionState): ServiceBounds {
  return {
    paused_at: isPaused(state) ? state.paused_at : null,
    stop: state.status === 'NON_RENEWING' ? state.ending_date : null,
  };
}

/** The state whose lines last for this term. */
export function lasting<S extends Started>(state: S, term: Term): S {
  return {
    ...state,
    lines: eachLine(state.lines, (line) => ({ ...line, schedule: line.schedule.lasting(term) })),
  };
}
