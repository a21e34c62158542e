import type { Schedule } from '../calendar/schedule.js';
import { endingAt, type Term } from '../calendar/term.js';
import type { Ledger, SliceLedger } from '../ledger/ledger.js';

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

/** OK: nothing is owed. RETRYING: a retry is scheduled. REQUIRES_AUTH: the customer must act. PAST_DUE: neither. */
export const COLLECTION_STATES = ['OK', 'RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'] as const;
export type CollectionState = (typeof COLLECTION_STATES)[number];

/** What follows from all the rest; brought up to date after every transition. */
export interface Outlook {
  /** The running slice (the trial, while in trial); later the last one that ran. Null before there is one. */
  readonly current_billing_date_period_start: Date | null;
  readonly current_billing_date_period_end: Date | null;
  /** When the next slice is charged; null when none will be. */
  readonly next_billing_date: Date | null;
  readonly collection_state: CollectionState;
  /** The next business instant at which decideCycle has something to do; null: nothing, or a payment is in flight. */
  readonly due: Date | null;
}

interface BeforeStart {
  readonly starting_date: Date | null;
  readonly term: Term;
  readonly ledger: Ledger;
  readonly outlook: Outlook;
}

interface Started {
  readonly schedule: Schedule;
  readonly ledger: SliceLedger;
  readonly outlook: Outlook;
}

export interface CreatedState extends BeforeStart {
  readonly status: 'CREATED';
}

/** Started; its date is to come. */
export interface FutureState extends Started {
  readonly status: 'FUTURE';
}

export interface RunningState extends Started {
  readonly status: 'ACTIVE';
  /** True while service is granted; false when only its last payment is waited for. */
  readonly active: boolean;
  readonly in_trial: boolean;
}

export interface PausedState extends Started {
  readonly status: 'PAUSED';
  readonly paused_at: Date;
  readonly resume_at: Date | null;
  /** Index of the last slice that the pause leaves to be charged; -1: none. */
  readonly last_slice: number;
}

/** Stopped. The term of its schedule is the one from before: a restart goes back to it. */
export interface EndingState extends Started {
  readonly status: 'NON_RENEWING';
  readonly active: boolean;
  /** The date of the stop. */
  readonly ending_date: Date;
  /** Index of the last slice that the stop leaves to be charged; -1: none. */
  readonly last_slice: number;
  readonly prorate_amount_minor: number;
}

export interface CompletedState extends Started {
  readonly status: 'COMPLETED';
}

export type CancelledState = (BeforeStart | Started) & {
  readonly status: 'CANCELLED';
  /** Why, when nobody asked for it. */
  readonly reason: string | null;
  readonly prorate_amount_minor: number;
};

export type EndedState = CompletedState | CancelledState;

/** Slices are charged in these. */
export type BilledState = RunningState | PausedState | EndingState;

/** The calendar goes on in these. */
export type ScheduledState = FutureState | BilledState;

/**
 * What billing knows of a subscription, by its status. Fields of the record under their names; those that only one
 * phase has exist in that phase only.
 */
export type SubscriptionState = CreatedState | ScheduledState | EndedState;

export function isBilled(state: SubscriptionState): state is BilledState {
  return state.status === 'ACTIVE' || state.status === 'PAUSED' || state.status === 'NON_RENEWING';
}

export function isScheduled(state: SubscriptionState): state is ScheduledState {
  return state.status === 'FUTURE' || isBilled(state);
}

export function hasStarted<S extends SubscriptionState>(state: S): state is S & Started {
  return 'schedule' in state;
}

/** How long the subscription lasts, as it shows: up to its stop, or else by its own term. */
export function shownTerm(state: SubscriptionState): Term {
  if (state.status === 'NON_RENEWING') return endingAt(state.ending_date);
  return hasStarted(state) ? state.schedule.term : state.term;
}

export function startingDate(state: SubscriptionState): Date | null {
  return hasStarted(state) ? state.schedule.facts.starting_date : state.starting_date;
}

export function withLedger<S extends SubscriptionState>(state: S, changes: Partial<S['ledger']>): S {
  return { ...state, ledger: { ...state.ledger, ...changes } };
}
