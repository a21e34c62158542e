import { Flag, Integer, Ref, Text, createBody, updateBody, type Id } from '@commerce/platform';

import { SubscriptionRecord } from './subscription.record.js';

const TERM = ['ending_date', 'interval_total', 'infinite'] as const;

export class CreateSubscriptionBody extends createBody(SubscriptionRecord, [
  'plan',
  'payment_method',
  'note',
  'starting_date',
  ...TERM,
]) {
  @Text({ optional: true, description: 'subscription method, a filter of the search' })
  subscription_method?: string | null;

  @Flag({ default: false, description: 'starts it at once; needs a payment_method' })
  start_now?: boolean;

  @Ref('user', { optional: true, description: 'the subscribing user; required of an admin' })
  user?: Id | null;
}

export class PreviewSubscriptionBody extends CreateSubscriptionBody {
  @Integer({ default: 12, min: 1, max: 36, description: 'how many charges' })
  count?: number;
}

export class StartSubscriptionBody extends updateBody(SubscriptionRecord, [
  'payment_method',
  'starting_date',
  ...TERM,
]) {
  @Flag({ default: false, description: 'after a pause: a new period begins now' })
  reanchor?: boolean;
}

export class StopSubscriptionBody extends updateBody(SubscriptionRecord, ['ending_date']) {}

export class PauseSubscriptionBody extends updateBody(SubscriptionRecord, ['resume_at']) {}

export class UpdateSubscriptionBody extends updateBody(SubscriptionRecord, [
  'note',
  'payment_method',
  ...TERM,
]) {}
