import {
  Amount,
  Choice,
  Currency,
  Flag,
  Instant,
  Integer,
  LongText,
  Nested,
  RecordOf,
  Ref,
  Refs,
  Text,
  Written,
  type Id,
} from '@commerce/records';

import type { Receivable } from '../domain/receivable/receivable.js';
import {
  COLLECTION_STATES,
  SUBSCRIPTION_STATUSES,
  type CollectionState,
  type SubscriptionStatus,
} from '../domain/lifecycle/subscription-state.js';
import { DECIDERS, type Decider } from '../domain/lifecycle/decided-by.js';
import { Held } from './held.js';
import { PendingChange, PendingStart } from './pending-change.js';
import { SubscriptionBillingState } from './subscription-billing-state.js';
import { sampleSubscription } from './subscription-sample.js';
import { SUBSCRIPTION_INDEXES, SUBSCRIPTION_LIST } from './subscription-indexes.js';
import { MAX_QUANTITY } from './subscription-limits.js';
import { awaitingAmount } from './stored-amounts.js';

/** Number of payments that a subscription names; GET /subscriptions/<id>/payments lists all of them. */
export const SHOWN_PAYMENTS = 24;

/**
 * A customer's use of a plan, with the only list of its stored fields. SubscriptionState declares which of them belong
 * together; subscription-state.adapter.ts converts between the two.
 */
@RecordOf({
  collection: 'subscriptions',
  noun: 'subscription',
  cls: 'Subscription',
  touched: 'updated',
  deleted: 'deleted',
  owner: 'user',
  counted: ['note'],
  list: SUBSCRIPTION_LIST,
  indexes: SUBSCRIPTION_INDEXES,
  sample: sampleSubscription,
})
export class SubscriptionRecord extends SubscriptionBillingState {
  @Ref('user', { description: 'the subscribing user' })
  user: Id;

  @Ref('plan')
  plan: Id;

  @Integer({
    default: 1,
    min: 1,
    max: MAX_QUANTITY,
    description: "multiplies the plan's price, not its setup fee: the number of seats",
  })
  quantity: number;

  @Text({ optional: true, description: 'the code of its coupon' })
  coupon: string | null;

  @Ref('payment method', { optional: true, description: 'what its payments are taken from' })
  payment_method: Id | null;

  @Text({ optional: true, description: 'name of the subscription method' })
  name: string | null;

  @Text({ default: 'basic', description: 'subscription method, a filter of the search' })
  method: string;

  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @LongText({ optional: true, description: 'short description' })
  note: string | null;

  @Choice(SUBSCRIPTION_STATUSES, {
    default: 'CREATED',
    description: 'where it stands in its life; the moves are described in docs/billing-rules.md',
  })
  status: SubscriptionStatus;

  @Flag({
    default: false,
    description:
      'true while service is granted; where its plan cancels after a failed first payment, only once that has succeeded',
  })
  active: boolean;

  @Instant({ optional: true, description: 'when it starts, or started; null until it is started' })
  starting_date: Date | null;

  @Instant({ optional: true, description: 'when it ends, or ended; null while no end is known' })
  ending_date: Date | null;

  @Flag({ default: false, description: 'it has no end; ending_date and interval_total are then null' })
  infinite: boolean;

  @Integer({ optional: true, min: 1, max: 100_000, description: 'how many interval units it lasts' })
  interval_total: number | null;

  @Choice(DECIDERS, {
    optional: true,
    description: 'who set its end, or that it has none: a user changes and takes back only what a user set',
  })
  ending_set_by: Decider | null;

  @Instant({ optional: true, description: 'the start of the current period' })
  current_billing_date_period_start: Date | null;

  @Instant({ optional: true, description: 'the start of the next period' })
  current_billing_date_period_end: Date | null;

  @Amount({ default: 0, signed: true, description: 'negative after a stop that prorates' })
  prorate_amount: number;

  @Refs('payment', { default: () => [], description: 'its newest 24 payments, the oldest first' })
  payments: Id[];

  @Currency({ description: 'that of the plan' })
  currency: string;

  @Flag({ default: false, description: 'whether it is in its trial, for which nothing is charged' })
  in_trial: boolean;

  @Instant({ optional: true, description: 'when its trial ends, or ended; null without a trial' })
  trial_ending_date: Date | null;

  /** The plan whose trial it began with. */
  @Ref('plan', { hidden: true, optional: true })
  trial_plan: Id | null;

  @Instant({ optional: true, description: 'when it was last billed' })
  last_billed_date: Date | null;

  @Instant({ optional: true, description: 'when it is billed next; null when it is not' })
  next_billing_date: Date | null;

  @Instant({ optional: true, description: 'when an amount was last prorated' })
  last_prorate_date: Date | null;

  @Amount({ optional: true, description: 'what it was last billed for, in major units of the currency' })
  last_billed_amount: number | null;

  @Integer({ default: 0, description: 'periods in a row whose payment failed for good' })
  failed_attempts: number;

  @Choice(COLLECTION_STATES, {
    default: 'OK',
    description: 'whether money is owed, and what is done about it',
  })
  collection_state: CollectionState;

  @Amount({ default: 0, description: 'what failed to be collected and is still owed' })
  outstanding_amount: number;

  @Amount({
    default: awaitingAmount,
    description:
      'what a payment that has neither succeeded nor failed for good is to collect, beyond outstanding_amount: it waits for the bank, the customer or a retry',
  })
  awaiting_amount: number;

  @Amount({ hidden: true, default: 0 })
  carried_amount: number;

  @Written({ hidden: true })
  debt_taxes: NonNullable<Receivable['debt_taxes']> | null;

  @Text({
    optional: true,
    description: 'why it was cancelled, when nobody asked for it, or earlier than asked',
  })
  reason: string | null;

  @Instant({ optional: true, description: 'since when it is paused, or was when it was stopped; else null' })
  paused_at: Date | null;

  @Choice(DECIDERS, { optional: true, description: 'who paused it: a user resumes only their own pause' })
  paused_by: Decider | null;

  @Instant({ optional: true, description: 'when a pause ends by itself' })
  resume_at: Date | null;

  @Nested(() => PendingChange, {
    optional: true,
    description: 'a change of plan or quantity that is still to come',
  })
  pending_change: PendingChange | null;

  @Nested(() => PendingStart, {
    optional: true,
    description: 'a start that takes effect once its payment has succeeded, within 23 hours',
  })
  pending_start: PendingStart | null;

  @Nested(() => Held, {
    optional: true,
    description: 'why billing waits until the subscription is released; null while it goes on',
  })
  held: Held | null;

  /** The end, in business time, of the customer's session, during which the first payment can be authenticated. */
  @Instant({ hidden: true, optional: true })
  in_session_until: Date | null;

  /** The test clock of its customer. */
  @Ref('test clock', { hidden: true, optional: true })
  test_clock: Id | null;

  /** Number of consecutive unexpected errors of billing. */
  @Integer({ hidden: true, default: 0 })
  failures: number;

  /** Dates of the last period charges, the oldest first; real time. Periods of a released catch-up do not count. */
  @Written({ hidden: true, default: () => [] })
  recent_periods: readonly Date[];

  /** Charges due by this date are exempt from the bound on catching up. */
  @Instant({ hidden: true, optional: true })
  released_at: Date | null;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  updated: Date;
}
