import { sortsOf, createBody, listQuery, updateBody } from '@commerce/records';

import { PlanRecord } from './plan.record.js';

export class CreatePlanBody extends createBody(PlanRecord, [
  'name',
  'note',
  'currency',
  'interval_unit',
  'billing_interval',
  'items',
  'total_amount',
  'prepay',
  'initial_fail_amount_action',
  'max_fail_attempts',
  'setup_fee',
  'is_prorated',
  'should_retry_payments',
  'max_payment_retries',
  'retry_payment_in_minutes',
  'static',
  'auto_bill_amount',
  'trial_days',
]) {}

export class ListPlansQuery extends listQuery({
  sortable: sortsOf(PlanRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {}

/** The price of a plan is fixed when it is created: subscriptions rely on it. */
export class UpdatePlanBody extends updateBody(PlanRecord, ['name', 'note']) {}
