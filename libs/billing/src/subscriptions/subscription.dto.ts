import type { Type } from '@nestjs/common';
import {
  sortsOf,
  Choice,
  Currency,
  Flag,
  Instant,
  InstantOr,
  Integer,
  Ref,
  Text,
  createBody,
  listQuery,
  updateBody,
  type Id,
} from '@commerce/records';

import {
  SUBSCRIPTION_STATUSES,
  type CollectionState,
  type SubscriptionStatus,
} from '../domain/lifecycle/subscription-state.js';
import { DUNNING_STATES } from '../subscription-record/dunning.js';
import { SubscriptionRecord } from '../subscription-record/subscription.record.js';

const COLLECTED = ['first', 'later'] as const;
const COLLECTS =
  "`first`: it starts once its first charge is paid; `later`, the default of an admin: at once; a user's default is `customers.start`";

const TERM = ['ending_date', 'interval_total', 'infinite'] as const;

export class CreateSubscriptionBody extends createBody(SubscriptionRecord, [
  'plan',
  'quantity',
  'payment_method',
  'note',
  'starting_date',
  ...TERM,
]) {
  @Text({
    optional: true,
    description: "subscription method, a filter of the search; the plan's unless an admin sets it",
  })
  subscription_method?: string | null;

  @Text({ optional: true, max: 64, description: 'the code of a coupon' })
  coupon?: string | null;

  @Flag({ default: false, description: 'starts it at once; needs a payment_method' })
  start_now?: boolean;

  @Choice(COLLECTED, { optional: true, fold: 'lower', description: `with start_now: ${COLLECTS}` })
  collect?: 'first' | 'later' | null;

  @Ref('user', { optional: true, description: 'the subscribing user; required of an admin' })
  user?: Id | null;
}

export class PreviewSubscriptionBody extends CreateSubscriptionBody {
  @Integer({ default: 12, min: 1, max: 36, description: 'how many charges' })
  count?: number;
}

export class UpcomingChargesQuery {
  @Integer({ default: 12, min: 1, max: 36, description: 'how many charges' })
  count: number;

  @InstantOr(['now'], {
    optional: true,
    description:
      'as if it were started or resumed, or a stop taken back: now, or the first start at this date',
  })
  start: Date | 'now' | null;

  @Flag({ default: false, description: 'with `start` after a pause: a new period begins now' })
  reanchor: boolean;

  @InstantOr(['now'], { optional: true, description: 'as if it were stopped: now, or at this date' })
  stop: Date | 'now' | null;

  @Choice(['now'], { optional: true, fold: 'lower', description: 'as if it were paused now' })
  pause: 'now' | null;

  @Instant({ optional: true, description: 'with `pause`: when the pause would end by itself' })
  resume_at: Date | null;
}

export class StartSubscriptionBody extends updateBody(SubscriptionRecord, [
  'payment_method',
  'starting_date',
  ...TERM,
]) {
  @Text({ optional: true, max: 64, description: 'the code of a coupon; for the first start' })
  coupon?: string | null;

  @Flag({ default: false, description: 'after a pause: a new period begins now' })
  reanchor?: boolean;

  @Choice(COLLECTED, { optional: true, fold: 'lower', description: `of the first start: ${COLLECTS}` })
  collect?: 'first' | 'later' | null;
}

export class StopSubscriptionBody extends updateBody(SubscriptionRecord, ['ending_date']) {}

export class PauseSubscriptionBody extends updateBody(SubscriptionRecord, ['resume_at']) {}

export class UpdateSubscriptionBody extends updateBody(SubscriptionRecord, [
  'note',
  'payment_method',
  ...TERM,
]) {}

export class ListSubscriptionsQuery extends listQuery({
  sortable: sortsOf(SubscriptionRecord),
  sort: '-created',
  dates: ['created', 'updated', 'starting_date'],
}) {
  @Text({ optional: true, description: 'subscriptions of this method only' })
  method: string | null;

  @Choice(SUBSCRIPTION_STATUSES, { optional: true, description: 'subscriptions of this status only' })
  status: SubscriptionStatus | null;

  @Choice(DUNNING_STATES, {
    optional: true,
    description: 'subscriptions in this state of collection only',
  })
  collection_state: CollectionState | null;

  @Flag({ optional: true, description: 'true: those that are held; false: the others' })
  held: boolean | null;

  @Ref('plan', { optional: true, description: 'subscriptions to this plan only' })
  plan: Id | null;

  @Ref('user', { optional: true, description: 'subscriptions of this user only; a user sees its own anyway' })
  user: Id | null;

  @Currency({ optional: true, description: 'subscriptions in this currency only' })
  currency: string | null;

  @Ref('test clock', { optional: true, description: 'subscriptions of customers on this test clock only' })
  test_clock: Id | null;

  @Flag({ optional: true, description: 'true: customers in real time; false: those on test clocks' })
  real_time: boolean | null;
}

const Unpaged = ListSubscriptionsQuery as Type<Omit<ListSubscriptionsQuery, 'size' | 'page'>>;

/** A search returns every match unless a page is requested. */
export class SearchSubscriptionsQuery extends Unpaged {
  @Integer({ optional: true, min: 1, max: 100, description: 'records on a page; all of them when left out' })
  size: number | null;

  @Integer({ optional: true, max: 10_000, description: 'which page, from 0' })
  page: number | null;
}
