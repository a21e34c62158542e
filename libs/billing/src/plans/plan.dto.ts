import { Integer, sortsOf, createBody, listQuery, updateBody } from '@commerce/records';

import { MAX_INTERVAL_COUNT, PlanRecord } from './plan.record.js';

export class CreatePlanBody extends createBody(PlanRecord, [
  'name',
  'note',
  'currency',
  'interval_unit',
  'interval_count',
  'billing_interval',
  'items',
  'total_amount',
  'vat',
  'tax_category',
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
  'offered',
]) {
  @Integer({
    optional: true,
    min: 1,
    max: MAX_INTERVAL_COUNT,
    description:
      'how many billing_intervals lie between two charges; interval_count when both are left out, else 1',
  })
  billing_interval_count?: number | null;
}

export class ListPlansQuery extends listQuery({
  sortable: sortsOf(PlanRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {}

/** The price of a plan is fixed when it is created: subscriptions rely on it. Its tax follows the law. */
export class UpdatePlanBody extends updateBody(PlanRecord, [
  'name',
  'note',
  'vat',
  'tax_category',
  'offered',
]) {}
