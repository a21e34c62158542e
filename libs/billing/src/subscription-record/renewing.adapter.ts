import { intervalsOf } from '../domain/calendar/calendar.js';
import { Schedule } from '../domain/calendar/schedule.js';
import { onlyRenewing, type Renewing } from '../domain/ahead/renewals.js';
import { timingOf } from '../domain/lines/settlement.js';
import { termOf, type PlanCalendar } from './subscription-state.adapter.js';
import type { SubscriptionRecord } from './subscription.record.js';

/** The fields that tell whether a subscription only renews, and when it does, by which plan and for whom. */
export const RENEWAL_FIELDS = [
  ...(['user', 'plan', 'quantity', 'discount_terms', 'currency', 'held', 'status', 'active', 'due'] as const),
  ...(['starting_date', 'trial_ending_date', 'anchor', 'timezone', 'run', 'units_before'] as const),
  ...([
    'infinite',
    'ending_date',
    'interval_total',
    'in_trial',
    'scheduled_change',
    'quote',
    'open_payments',
  ] as const),
  ...(['outstanding_amount', 'collect_debt', 'setup_due', 'periods', 'next_period'] as const),
  'awaits_first_payment',
] satisfies (keyof SubscriptionRecord)[];

/** The part of a subscription that its renewals follow from: half of its fields. */
export type RenewalRecord = Pick<SubscriptionRecord, '_id' | (typeof RENEWAL_FIELDS)[number]>;

/**
 * As `renewingOf` of the subscription's state, without reading the other half of the record: whether that contradicts
 * this one is found where it is charged.
 */
export function renewingFrom(record: RenewalRecord, plan: PlanCalendar): Renewing | null {
  const { status, starting_date, anchor, timezone } = record;
  if (status !== 'ACTIVE' || starting_date === null || anchor === null || timezone === null) return null;
  const { trial_ending_date, run, units_before } = record;
  const active = record.active || record.awaits_first_payment;
  const {
    in_trial,
    scheduled_change: pending_change,
    quote,
    open_payments,
    setup_due,
    collect_debt,
  } = record;
  const places = { starting_date, trial_ending_date, anchor, timezone, run, units_before };
  return onlyRenewing({
    ...{ active, in_trial, pending_change, quote, open_payments, setup_due, collect_debt },
    outstanding: record.outstanding_amount,
    periods: record.periods,
    next_period: record.next_period,
    timing: timingOf(plan),
    schedule: new Schedule({ ...places, term: termOf(record), ...intervalsOf(plan) }),
  });
}
