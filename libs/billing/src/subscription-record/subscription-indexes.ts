import { ANY_DATE, ANY_ID } from '@commerce/data';

import { DUNNING_INDEX } from './dunning.js';

/** Sort orders and filters of subscription lists; each combination has an index. */
export const SUBSCRIPTION_LIST = {
  sorts: ['created', 'updated', 'name', 'next_billing_date', '_id'],
  by: {
    user: ['created', 'updated'],
    status: ['created'],
    plan: ['created'],
    method: ['created'],
    test_clock: ['created'],
    currency: ['created'],
  },
} as const;

/** The indexes of subscriptions beside those of every record and of its list. */
export const SUBSCRIPTION_INDEXES = [
  {
    fields: { company: 1, human_id: 1 },
    options: { unique: true },
    // A human_id was generated twice: the request runs again and generates another.
    taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
  },
  { fields: { wake_at: 1 }, options: { partialFilterExpression: { wake_at: ANY_DATE } } },
  { fields: { company: 1, wake_at: 1 }, options: { partialFilterExpression: { wake_at: ANY_DATE } } },
  {
    fields: { company: 1, created: -1, _id: -1, 'held.since': 1 },
    options: { partialFilterExpression: { 'held.since': ANY_DATE } },
  },
  {
    fields: { 'held.since': 1, 'held.reason': 1 },
    options: { partialFilterExpression: { 'held.since': ANY_DATE } },
  },
  DUNNING_INDEX,
  {
    fields: { company: 1, redeemed_coupons: 1 },
    options: { partialFilterExpression: { redeemed_coupons: ANY_ID } },
  },
  // For revenue by month: what stopped recurring since a date.
  {
    fields: { company: 1, recurred_until: 1, _id: 1 },
    options: { partialFilterExpression: { recurred_until: ANY_DATE } },
  },
  {
    fields: { company: 1, user: 1, trial_plan: 1 },
    options: { partialFilterExpression: { trial_plan: ANY_ID } },
  },
  {
    fields: { company: 1, user: 1, currency: 1, outstanding_amount: 1 },
    options: { partialFilterExpression: { outstanding_amount: { $gt: 0 } } },
  },
  { fields: { failures: 1 }, options: { partialFilterExpression: { failures: { $gt: 0 } } } },
  {
    fields: { company: 1, test_clock: 1, due: 1, _id: 1 },
    options: { partialFilterExpression: { test_clock: ANY_ID } },
  },
  {
    fields: { company: 1, payment_method: 1 },
    options: { partialFilterExpression: { payment_method: ANY_ID } },
  },
] as const;
