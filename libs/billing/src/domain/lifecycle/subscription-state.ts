import type { IntervalUnit } from '../calendar/calendar.js';

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

/** What a payment of a subscription is for; with `slice` its key, unique within the subscription. */
export type ChargeKind = 'setup' | 'period' | 'proration';

/** Names a payment of the subscription: `setup/setup`, `period/0`, `proration/0-1`, `period/debt-1`. */
export interface PaymentKey {
  readonly kind: ChargeKind;
  readonly slice: string;
}

/**
 * The payment that is not settled yet; there is at most one. IN_FLIGHT: the provider has been or will be asked, and
 * only its answer leads on. Amounts in major units.
 */
export interface OpenPayment extends PaymentKey {
  readonly amount: number;
  /** How much of the amount is debt of earlier payments; it stays in outstanding_amount until this succeeds. */
  readonly debt: number;
  /** How much of it is for a slice, and for which (see sliceKey); the rest is debt or setup fee. */
  readonly own: number;
  readonly of: string | null;
  readonly state: 'IN_FLIGHT' | 'RETRYING' | 'REQUIRES_AUTH';
  readonly attempts: number;
  /** When it was first tried: the retries are counted from here. */
  readonly since: Date;
  readonly retry_at: Date | null;
  /** When a payment that nobody authenticates is given up, if nothing else does so before. */
  readonly expires_at: Date | null;
  /** Whether its failing for good counts as a failed period. */
  readonly counts: boolean;
}

/** A stop or pause (`stop`) or a resume (`unused`) within a slice. */
export interface SliceCut {
  readonly at: Date;
  readonly takes: 'stop' | 'unused';
}

/** Money for a slice that a payment has brought in. */
export interface PaidPart extends PaymentKey {
  readonly amount: number;
}

/** A slice of the calendar and what has been charged of it. Self-contained: it outlives a new anchor. */
export interface RunningSlice {
  readonly run: number;
  readonly anchor: Date;
  readonly index: number;
  readonly start: Date;
  /** Cut by an end of the subscription, as far as known. */
  readonly end: Date;
  /** False where it was entered in the middle, after a pause that began in an earlier one. */
  readonly whole: boolean;
  /** What the slice comes to as a whole, in major units; null until the first charge for it. */
  readonly base: number | null;
  readonly cuts: readonly SliceCut[];
  /** How many of the cuts have been charged or refunded. */
  readonly settled: number;
  /** How many payments have been made for it. */
  readonly bills: number;
  /** What has been collected for it and by which payments, less what was given back; the newest part last. */
  readonly paid: readonly PaidPart[];
  /** What of it failed to be collected and is in outstanding_amount. */
  readonly owed: number;
  /** How much of the unsettled cuts has been given back already. */
  readonly credited: number;
}

/** How long a subscription lasts. At most one of the three is set. */
export interface Term {
  readonly infinite: boolean;
  readonly ending_date: Date | null;
  readonly interval_total: number | null;
}

/** A new payment method waits to collect what is owed. `counts` as in OpenPayment. */
export interface CollectDebt {
  readonly at: Date;
  readonly counts: boolean;
}

/**
 * What billing knows of a subscription: fields of its record, under their names. Amounts are decimals in major
 * units. The second block is not shown to callers.
 */
export interface SubscriptionState extends Term {
  readonly status: SubscriptionStatus;
  /** True while service is granted. */
  readonly active: boolean;
  readonly in_trial: boolean;
  readonly currency: string;
  readonly starting_date: Date | null;
  readonly trial_ending_date: Date | null;
  /** The running slice (the trial, while in trial). */
  readonly current_billing_date_period_start: Date | null;
  readonly current_billing_date_period_end: Date | null;
  /** When the next slice is charged; null when none will be. */
  readonly next_billing_date: Date | null;
  /** When and how much was last collected. */
  readonly last_billed_date: Date | null;
  readonly last_billed_amount: number | null;
  readonly prorate_amount: number;
  readonly last_prorate_date: Date | null;
  readonly failed_attempts: number;
  readonly outstanding_amount: number;
  readonly collection_state: CollectionState;
  readonly reason: string | null;
  readonly paused_at: Date | null;
  readonly resume_at: Date | null;

  /** The next business instant at which decideCycle has something to do; null: nothing, or a payment is in flight. */
  readonly due: Date | null;
  /** Boundary 0 of the calendar: the start, the trial's end or the last re-anchoring. Null before the start. */
  readonly anchor: Date | null;
  /** The company's timezone at the start: a later change of it must not move running periods. */
  readonly timezone: string | null;
  /** How often the calendar was anchored anew. */
  readonly run: number;
  /** Interval units that ended in earlier runs. */
  readonly units_before: number;
  /** Index of the next slice to be charged. */
  readonly next_slice: number;
  /** Index of the last slice that a stop or pause leaves to be charged; -1: none; null: no stop or pause. */
  readonly last_slice: number | null;
  readonly slice: RunningSlice | null;
  /** Slices that a resume left behind before their pause was settled. */
  readonly closing: readonly RunningSlice[];
  /** When the setup fee falls due; null before that is known and once it has been charged. */
  readonly setup_due: Date | null;
  readonly setup_charged: boolean;
  /** False until a payment of more than 0 has succeeded or failed for good. */
  readonly paid_before: boolean;
  readonly open_payment: OpenPayment | null;
  readonly collect_debt: CollectDebt | null;
  /** How many payments have been made for debts alone. */
  readonly debts: number;
  /** How long it was to last before it was stopped at a date: a restart goes back to that. */
  readonly term_before_stop: Term | null;
}

/** Fields that a decision changes; the others stay. */
export type StateChanges = Partial<SubscriptionState>;

/** The parts of a calendar that a plan fixes. */
export interface PlanIntervals {
  readonly interval_unit: IntervalUnit;
  readonly billing_interval: IntervalUnit;
}
