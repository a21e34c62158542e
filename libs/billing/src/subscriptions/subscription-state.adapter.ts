import { isDeepStrictEqual } from 'node:util';

import { isFault } from '@commerce/kernel';
import { makeRecord, newId, type Id } from '@commerce/platform';

import { Schedule } from '../domain/calendar/schedule.js';
import { NO_TERM, type Term } from '../domain/calendar/term.js';
import type { Ledger, SliceLedger } from '../domain/ledger/ledger.js';
import {
  inFlight,
  toAuthenticate,
  toRetry,
  type OpenedPayment,
  type OpenPayment,
} from '../domain/ledger/open-payment.js';
import type { RunningSlice } from '../domain/ledger/running-slice.js';
import {
  hasStarted,
  shownTerm,
  startingDate,
  type CreatedState,
  type Outlook,
  type SubscriptionState,
} from '../domain/lifecycle/subscription-state.js';
import type { PlanTerms } from '../domain/pricing/terms.js';
import { inMajor, inMinor, type InMajor, type StoredPayment, type StoredSlice } from './stored-amounts.js';
import { SubscriptionRecord } from './subscription.record.js';

/** What of the record is no matter of its state. */
const OTHER_FIELDS = [
  '_id',
  'company',
  '_cls',
  'sys',
  'created',
  'user',
  'plan',
  'payment_method',
  'name',
  'method',
  'human_id',
  'note',
  'payments',
  'test_clock',
  'wake_at',
  'failures',
  'deleted',
  'updated',
] as const satisfies readonly (keyof SubscriptionRecord)[];

/** The fields of the record that hold the state: all that are not named above. */
export type StoredState = Omit<SubscriptionRecord, (typeof OTHER_FIELDS)[number]>;

/** What a caller has of a record; a state can be read from it. */
export type StoredSubscription = StoredState & { readonly _id: Id };

type PlanIntervals = Pick<PlanTerms, 'interval_unit' | 'billing_interval'>;

/** What a record holds of which nothing is known yet: the defaults of its fields. */
const BLANK = blank();

function blank(): StoredState {
  const record: Partial<SubscriptionRecord> = makeRecord(
    SubscriptionRecord,
    { company: newId() },
    new Date(0),
  );
  for (const name of OTHER_FIELDS) delete record[name];
  return { ...record } as StoredState;
}

/** The state from which a subscription is created. */
export function blankState(currency: string): CreatedState {
  return createdState(new StateReader({ ...BLANK, currency }, 'A new subscription'));
}

/**
 * The state that a record holds.
 * @throws Error naming the subscription and the field where the fields contradict each other: no charge is ever
 * computed from a record that cannot be
 */
export function stateOf(record: StoredSubscription, plan: PlanIntervals): SubscriptionState {
  const reader = new StateReader(record, `Subscription ${record._id.toHexString()}`);
  const state = readState(reader, plan);
  // Whatever the state does not give back belongs to another status.
  const written = changesOf(state);
  for (const name of Object.keys(written) as (keyof StoredState)[]) {
    if (isDeepStrictEqual(written[name], record[name]) || isLeftOver(record, name)) continue;
    throw reader.corrupted(name, 'contradicts the other fields');
  }
  return state;
}

/** The fields of the record in which it holds a state: all of them, so that none is left from the state before. */
export function changesOf(state: SubscriptionState): StoredState {
  const { open_payment, ...ledger } = state.ledger;
  const { currency } = ledger;
  return {
    ...BLANK,
    ...inMajor(ledger, currency),
    open_payment: open_payment && storedPayment(open_payment, currency),
    ...state.outlook,
    ...shownTerm(state),
    ...calendarFields(state),
    ...inMajor(ownFields(state), currency),
  };
}

/** A stop that has been settled says no more where it fell; records that were cancelled earlier still hold it. */
function isLeftOver({ status }: StoredState, name: keyof StoredState): boolean {
  return status === 'CANCELLED' && (name === 'last_slice' || name === 'term_before_stop');
}

function calendarFields(state: SubscriptionState): Partial<StoredState> {
  const starting_date = startingDate(state);
  if (!hasStarted(state)) return { starting_date };
  const { trial_ending_date, anchor, timezone, run, units_before, term } = state.schedule.facts;
  const term_before_stop = state.status === 'NON_RENEWING' ? term : null;
  return { starting_date, trial_ending_date, anchor, timezone, run, units_before, term_before_stop };
}

type SharedField = 'schedule' | 'term' | 'starting_date' | 'ledger' | 'outlook';
type OwnFields<S> = S extends SubscriptionState ? Omit<S, SharedField> : never;

/** The fields that only this phase has. */
function ownFields(state: SubscriptionState): OwnFields<SubscriptionState> {
  const own: Partial<Record<SharedField, unknown>> = { ...state };
  delete own.schedule;
  delete own.term;
  delete own.starting_date;
  delete own.ledger;
  delete own.outlook;
  return own as OwnFields<SubscriptionState>;
}

type KeyOf<U> = U extends unknown ? keyof U : never;
type StateField = KeyOf<InMajor<OwnFields<SubscriptionState>>> | keyof InMajor<SliceLedger> | keyof Outlook;

/** A field of the state that the record does not have is an error here: it would not be stored. */
const everyFieldIsStored: Record<Exclude<StateField, keyof StoredState>, never> = {};
void everyFieldIsStored;

function readState(reader: StateReader, plan: PlanIntervals): SubscriptionState {
  const { record } = reader;
  switch (record.status) {
    case 'CREATED':
      return createdState(reader);
    case 'FUTURE':
      return { status: 'FUTURE', ...startedState(reader, plan, record) };
    case 'ACTIVE': {
      const { active, in_trial } = record;
      if (in_trial) reader.required('trial_ending_date');
      return { status: 'ACTIVE', active, in_trial, ...startedState(reader, plan, record) };
    }
    case 'PAUSED':
      return {
        status: 'PAUSED',
        paused_at: reader.required('paused_at'),
        resume_at: record.resume_at,
        last_slice: reader.required('last_slice'),
        ...startedState(reader, plan, record),
      };
    case 'NON_RENEWING':
      return {
        status: 'NON_RENEWING',
        active: record.active,
        ending_date: reader.required('ending_date'),
        last_slice: reader.required('last_slice'),
        prorate_amount_minor: reader.amount('prorate_amount'),
        ...startedState(reader, plan, reader.required('term_before_stop')),
      };
    case 'COMPLETED':
      return { status: 'COMPLETED', ...startedState(reader, plan, record) };
    case 'CANCELLED': {
      const { reason, anchor } = record;
      const end = {
        status: 'CANCELLED',
        reason,
        prorate_amount_minor: reader.amount('prorate_amount'),
      } as const;
      return anchor === null
        ? { ...end, ...stateBeforeStart(reader) }
        : { ...end, ...startedState(reader, plan, record) };
    }
  }
}

function createdState(reader: StateReader): CreatedState {
  return { status: 'CREATED', ...stateBeforeStart(reader) };
}

function stateBeforeStart(reader: StateReader): Omit<CreatedState, 'status'> {
  const { starting_date } = reader.record;
  return { starting_date, term: termOf(reader.record), ledger: reader.ledger(), outlook: reader.outlook() };
}

function startedState(
  reader: StateReader,
  { interval_unit, billing_interval }: PlanIntervals,
  term: StoredTerm,
): { schedule: Schedule; ledger: SliceLedger; outlook: Outlook } {
  const { trial_ending_date, run, units_before } = reader.record;
  const schedule = new Schedule({
    starting_date: reader.required('starting_date'),
    trial_ending_date,
    anchor: reader.required('anchor'),
    timezone: reader.required('timezone'),
    run,
    units_before,
    term: termOf(term),
    interval_unit,
    billing_interval,
  });
  return { schedule, ledger: reader.sliceLedger(), outlook: reader.outlook() };
}

type StoredTerm = Pick<StoredState, keyof Term>;

function termOf({ infinite, ending_date, interval_total }: StoredTerm): Term {
  if (infinite) return { infinite, ending_date: null, interval_total: null };
  if (ending_date !== null) return { infinite, ending_date, interval_total: null };
  return interval_total === null ? NO_TERM : { infinite, ending_date, interval_total };
}

function storedPayment(open: OpenPayment, currency: string): StoredPayment {
  return { retry_at: null, expires_at: null, ...inMajor(open, currency) };
}

/** Reads the parts of a record, with its amounts in minor units, and says which field is to blame. */
class StateReader {
  constructor(
    readonly record: StoredState,
    private readonly name: string,
  ) {}

  corrupted(field: keyof StoredState, why: string): Error {
    return new Error(`${this.name} is corrupted: ${field} ${why} while ${this.record.status}`);
  }

  required<K extends keyof StoredState>(field: K): NonNullable<StoredState[K]> {
    const value = this.record[field];
    if (value === null || value === undefined) throw this.corrupted(field, 'is missing');
    return value;
  }

  amount<K extends AmountField>(field: K): StoredState[K] {
    return this.reading(field, () => inMinor(this.record[field], this.record.currency));
  }

  outlook(): Outlook {
    const { current_billing_date_period_start, current_billing_date_period_end } = this.record;
    const { next_billing_date, collection_state, due } = this.record;
    return {
      current_billing_date_period_start,
      current_billing_date_period_end,
      next_billing_date,
      collection_state,
      due,
    };
  }

  ledger(): Ledger {
    const { currency, failed_attempts, last_billed_date, setup_due, setup_charged } = this.record;
    const { paid_before, collect_debt, debts } = this.record;
    return {
      currency,
      outstanding_amount_minor: this.amount('outstanding_amount'),
      failed_attempts,
      last_billed_date,
      last_billed_amount_minor: this.amount('last_billed_amount'),
      setup_due,
      setup_charged,
      paid_before,
      open_payment: this.openPayment(),
      collect_debt,
      debts,
    };
  }

  sliceLedger(): SliceLedger {
    const { last_prorate_date, next_slice, slice, closing, currency } = this.record;
    return {
      ...this.ledger(),
      last_prorate_date,
      next_slice,
      slice: slice && this.reading('slice', () => sliceOf(slice, currency)),
      closing: this.reading('closing', () => closing.map((one) => sliceOf(one, currency))),
    };
  }

  private openPayment(): OpenPayment | null {
    const { open_payment: stored, currency } = this.record;
    if (stored === null) return null;
    const opened = this.reading('open_payment', () => openedPayment(stored, currency));
    switch (stored.state) {
      case 'IN_FLIGHT':
        return inFlight(opened, opened.attempts);
      case 'RETRYING':
        if (stored.retry_at === null) throw this.corrupted('open_payment', 'lacks its retry_at');
        return toRetry(opened, stored.retry_at);
      case 'REQUIRES_AUTH':
        return toAuthenticate(opened, stored.expires_at);
    }
  }

  private reading<T>(field: keyof StoredState, read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (!isFault(error)) throw error;
      throw this.corrupted(field, `holds no amount (${error.message})`);
    }
  }
}

type AmountField = 'outstanding_amount' | 'last_billed_amount' | 'prorate_amount';

function openedPayment({ amount, debt, own, ...rest }: StoredPayment, currency: string): OpenedPayment {
  return {
    ...rest,
    amount_minor: inMinor(amount, currency),
    debt_minor: inMinor(debt, currency),
    own_minor: inMinor(own, currency),
  };
}

function sliceOf({ base, owed, credited, paid, ...rest }: StoredSlice, currency: string): RunningSlice {
  return {
    ...rest,
    base_minor: inMinor(base, currency),
    owed_minor: inMinor(owed, currency),
    credited_minor: inMinor(credited, currency),
    paid: paid.map(({ amount, ...part }) => ({ ...part, amount_minor: inMinor(amount, currency) })),
  };
}
