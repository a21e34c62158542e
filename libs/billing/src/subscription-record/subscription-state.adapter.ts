import { isSame, joinFields } from '@commerce/kernel';
import { makeRecord, newId, parseId, type Id } from '@commerce/records';

import { intervalsOf, type PlanIntervals } from '../domain/calendar/calendar.js';
import { timingOf, type Collected } from '../domain/lines/settlement.js';
import { Schedule } from '../domain/calendar/schedule.js';
import { NO_TERM, type Term } from '../domain/calendar/term.js';
import { isQuoted } from '../domain/lifecycle/quoted-state.js';
import type { Quote } from '../domain/lifecycle/quote.js';
import type { OpenPayment } from '../domain/receivable/open-payment.js';
import {
  hasStarted,
  isCancelledInPause,
  lineOf,
  shownTerm,
  startingDate,
  subscribedOf,
  type CancelledInPauseState,
  type CreatedState,
  type ScheduledState,
  type SubscriptionState,
} from '../domain/lifecycle/subscription-state.js';
import type { Subscribed } from '../domain/pricing/terms.js';
import { StateReader } from './state-reader.js';
import { inMajor, type StoredPayment } from './stored-amounts.js';
import { ABSENT, type OwnFields, type SharedField, type StoredState } from './stored-state.js';
import { SubscriptionRecord } from './subscription.record.js';

export type { StoredState };

/** The intervals of a plan, and whether they are collected in advance. */
export type PlanCalendar = PlanIntervals & Collected;

/** The fields of a record that its state is read from. */
export type StoredSubscription = StoredState & { readonly _id: Id };

/** The state of a new subscription before the request is applied: the defaults of its fields. */
export function blankState(currency: string, { plan, quantity, discount }: Subscribed): CreatedState {
  const terms = {
    plan: idOf(plan),
    quantity,
    discount_terms: discount ?? null,
    coupon: discount?.code ?? null,
  };
  const values = { company: newId(), currency, ...terms };
  const blank = makeRecord(SubscriptionRecord, values, new Date(0));
  return createdState(new StateReader(blank, 'A new subscription'));
}

/** The names of the fields that hold a state. */
export function stateFields(): (keyof StoredState)[] {
  const blank = blankState('EUR', { plan: newId().toHexString(), quantity: 1 });
  return Object.keys(changesOf(blank)) as (keyof StoredState)[];
}

/** States of records that a decision wrote: their settlement need not read them from the fields again. */
const written = new WeakMap<StoredSubscription, SubscriptionState>();

/** Notes the state that the fields of this record were written from. */
export function noteState(record: StoredSubscription, state: SubscriptionState): void {
  written.set(record, state);
}

/**
 * The state that a record holds.
 * @throws Error naming the subscription and the field where fields contradict each other: an impossible record must
 * never lead to a charge
 */
export function stateOf(record: StoredSubscription, plan: PlanCalendar): SubscriptionState {
  const known = written.get(record);
  if (known !== undefined) return known;
  const reader = new StateReader(record, `Subscription ${record._id.toHexString()}`);
  const state = readState(reader, plan);
  // A field that the state does not write back belongs to another status.
  const fields = changesOf(state);
  for (const name of Object.keys(fields) as (keyof StoredState)[]) {
    if (isSame(fields[name], record[name])) continue;
    throw reader.corrupted(name, 'contradicts the other fields');
  }
  return state;
}

/** The fields of the record for a state: all of them, so that nothing remains of the state before. */
export function changesOf(state: SubscriptionState): StoredState {
  const { open_payments, ...receivable } = state.receivable;
  const { currency } = receivable;
  const { plan, quantity, discount } = subscribedOf(state);
  const terms = {
    plan: idOf(plan),
    quantity,
    coupon: discount?.code ?? null,
    discount_terms: discount ?? null,
    debt_taxes: receivable.debt_taxes ?? null,
    open_payments: open_payments.map((one) => storedPayment(one, currency)),
  };
  return joinFields(
    ABSENT,
    inMajor(receivable, currency),
    state.derived,
    shownTerm(state),
    terms,
    pendingFields(state, currency),
    lineFields(state, currency),
    inMajor(ownFields(state), currency),
    servedField(state),
  );
}

/** The calendar and the periods of the line of the plan. */
function lineFields(
  state: SubscriptionState,
  currency: string,
): Partial<StoredState> & Pick<StoredState, 'starting_date'> {
  const starting_date = startingDate(state);
  if (!hasStarted(state)) return { starting_date };
  const { schedule, next_period, periods } = lineOf(state);
  const { trial_ending_date, anchor, timezone, run, units_before, term } = schedule.facts;
  const isStopped = state.status === 'NON_RENEWING' || isCancelledInPause(state);
  return {
    ...{ starting_date, trial_ending_date, anchor, timezone, run, units_before, next_period },
    ...inMajor({ periods }, currency),
    term_before_stop: isStopped ? term : null,
  };
}

type PendingField = 'pending_change' | 'pending_start' | 'scheduled_change' | 'quote';

/** What is to come: of a scheduled change and a quote, which takes its place once it is paid, callers see the quote. */
function pendingFields(state: SubscriptionState, currency: string): Partial<Pick<StoredState, PendingField>> {
  const scheduled_change = 'pending_change' in state ? state.pending_change : null;
  const quote = isQuoted(state) ? state.quote : null;
  const fields = { scheduled_change, quote: quote && inMajor<Quote>(quote, currency) };
  if (quote?.of === 'start') return { ...fields, pending_start: { at: quote.at, set_by: quote.set_by } };
  const shown = quote ?? scheduled_change;
  if (shown === null) return fields;
  const { subscribed, at, set_by } = shown;
  const asked = { plan: idOf(subscribed.plan), quantity: subscribed.quantity, at, set_by };
  const by = quote === null ? 'SCHEDULED' : 'AWAITING_PAYMENT';
  return { ...fields, pending_change: { ...asked, state: by } };
}

function idOf(hex: string): Id {
  const id = parseId(hex);
  if (id === null) throw new RangeError(`${hex} is no id of a plan`);
  return id;
}

/** Service that waits for the first payment is not shown as granted. */
function servedField(state: SubscriptionState): Partial<Pick<StoredState, 'active'>> {
  return 'active' in state ? { active: state.active && !state.derived.awaits_first_payment } : {};
}

/** The fields of this phase beyond the shared ones. */
function ownFields(state: SubscriptionState): OwnFields {
  const own: Partial<Record<SharedField, unknown>> = { ...state };
  delete own.lines;
  delete own.term;
  delete own.starting_date;
  delete own.receivable;
  delete own.derived;
  delete own.subscribed;
  delete own.pending_change;
  delete own.quote;
  return own as OwnFields;
}

function readState(reader: StateReader, plan: PlanCalendar): SubscriptionState {
  const { record } = reader;
  switch (record.status) {
    case 'CREATED':
      return createdState(reader);
    case 'FUTURE':
      return { status: 'FUTURE', ...startedState(reader, plan, record) };
    case 'ACTIVE': {
      return {
        status: 'ACTIVE',
        ...servedState(reader),
        ...startedState(reader, plan, record),
        pending_change: record.scheduled_change,
        quote: reader.changeQuote(),
      };
    }
    case 'PAUSED':
      return {
        status: 'PAUSED',
        paused_at: reader.required('paused_at'),
        resume_at: record.resume_at,
        ...startedState(reader, plan, record),
        pending_change: record.scheduled_change,
      };
    case 'NON_RENEWING':
      return {
        status: 'NON_RENEWING',
        ...servedState(reader),
        ending_date: reader.required('ending_date'),
        prorate_amount_minor: reader.amount('prorate_amount'),
        ...startedState(reader, plan, reader.required('term_before_stop')),
      };
    case 'COMPLETED':
      return { status: 'COMPLETED', ...startedState(reader, plan, record) };
    case 'CANCELLED': {
      const { reason, anchor, paused_at } = record;
      const end = {
        status: 'CANCELLED',
        reason,
        prorate_amount_minor: reader.amount('prorate_amount'),
      } as const;
      if (paused_at !== null) return { ...end, paused_at, ...pauseLeftBehind(reader, plan) };
      return anchor === null
        ? { ...end, ...stateBeforeStart(reader) }
        : { ...end, ...startedState(reader, plan, record) };
    }
  }
}

/** Reads the fields as for NON_RENEWING: the date of the stop is shown, the term from before applies. */
function pauseLeftBehind(
  reader: StateReader,
  plan: PlanCalendar,
): Omit<CancelledInPauseState, 'status' | 'reason' | 'prorate_amount_minor' | 'paused_at'> {
  return {
    ending_date: reader.required('ending_date'),
    ...startedState(reader, plan, reader.required('term_before_stop')),
  };
}

function servedState(reader: StateReader): { active: boolean; in_trial: boolean } {
  const { active, awaits_first_payment, in_trial } = reader.record;
  if (in_trial) reader.required('trial_ending_date');
  return { active: active || awaits_first_payment, in_trial };
}

function createdState(reader: StateReader): CreatedState {
  return { status: 'CREATED', ...stateBeforeStart(reader), quote: reader.startQuote() };
}

function stateBeforeStart(reader: StateReader): Omit<CreatedState, 'status' | 'quote'> {
  const { starting_date } = reader.record;
  return {
    subscribed: reader.subscribed(),
    starting_date,
    term: termOf(reader.record),
    receivable: reader.receivable(),
    derived: reader.derivedFields(),
  };
}

function startedState(
  reader: StateReader,
  plan: PlanCalendar,
  term: StoredTerm,
): Pick<ScheduledState, 'lines' | 'last_prorate_date' | 'receivable' | 'derived'> {
  const { trial_ending_date, run, units_before, next_period, last_prorate_date } = reader.record;
  const schedule = new Schedule({
    starting_date: reader.required('starting_date'),
    trial_ending_date,
    anchor: reader.required('anchor'),
    timezone: reader.required('timezone'),
    run,
    units_before,
    term: termOf(term),
    ...intervalsOf(plan),
  });
  const line = { subscribed: reader.subscribed(), timing: timingOf(plan), periods: reader.periods() };
  return {
    lines: [{ ...line, schedule, next_period }],
    last_prorate_date,
    receivable: reader.receivable(),
    derived: reader.derivedFields(),
  };
}

type StoredTerm = Pick<StoredState, keyof Term>;

export function termOf({ infinite, ending_date, interval_total }: StoredTerm): Term {
  if (infinite) return { infinite, ending_date: null, interval_total: null };
  if (ending_date !== null) return { infinite, ending_date, interval_total: null };
  return interval_total === null ? NO_TERM : { infinite, ending_date, interval_total };
}

function storedPayment(open: OpenPayment, currency: string): StoredPayment {
  return { retry_at: null, expires_at: null, ...inMajor(open, currency) };
}
