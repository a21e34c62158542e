import type { PlanIntervals } from '../domain/calendar/calendar.js';
import type { ScheduleFacts } from '../domain/calendar/schedule.js';
import type { Term } from '../domain/calendar/term.js';
import type { Line } from '../domain/lines/line.js';
import type { Receivable } from '../domain/receivable/receivable.js';
import type { DerivedFields, SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { InMajor } from './stored-amounts.js';
import type { SubscriptionRecord } from './subscription.record.js';

/** The groups of fields that every phase has. */
export type SharedField =
  | 'lines'
  | 'term'
  | 'starting_date'
  | 'receivable'
  | 'derived'
  | 'subscribed'
  | 'pending_change'
  | 'quote';

/** The fields of a phase beyond the shared ones. */
export type OwnFields<S = SubscriptionState> = S extends SubscriptionState ? Omit<S, SharedField> : never;

type FieldOf<U> = U extends unknown ? keyof InMajor<U> : never;

type CommonField =
  | keyof Term
  | keyof DerivedFields
  | FieldOf<Receivable>
  | 'starting_date'
  | 'status'
  | 'plan'
  | 'quantity'
  | 'discount_terms'
  | 'coupon';

/** A field that only some phases have. */
type PhaseField = Exclude<
  | Exclude<keyof ScheduleFacts, 'term' | keyof PlanIntervals>
  | keyof Pick<Line, 'next_period' | 'periods'>
  | 'last_prorate_date'
  | FieldOf<OwnFields>
  | 'term_before_stop'
  | 'pending_change'
  | 'pending_start'
  | 'scheduled_change'
  | 'quote',
  CommonField
>;

/** The fields of the record that hold the state. A field of the state that the record lacks does not compile here. */
export type StoredState = Pick<SubscriptionRecord, CommonField | PhaseField>;

/** The values of these fields in the phases without them. */
export const ABSENT: Pick<StoredState, PhaseField> = {
  active: false,
  in_trial: false,
  trial_ending_date: null,
  anchor: null,
  timezone: null,
  run: 0,
  units_before: 0,
  next_period: 0,
  periods: [],
  last_prorate_date: null,
  paused_at: null,
  resume_at: null,
  term_before_stop: null,
  prorate_amount: 0,
  reason: null,
  pending_change: null,
  pending_start: null,
  scheduled_change: null,
  quote: null,
};
