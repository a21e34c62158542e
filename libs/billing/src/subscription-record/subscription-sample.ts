import type { EventKind } from '@commerce/kernel';
import { newId } from '@commerce/records';

import type { SubscriptionStatus } from '../domain/lifecycle/subscription-state.js';

const SAMPLE_STATUSES: Partial<Record<EventKind, SubscriptionStatus>> = {
  'subscription.created': 'CREATED',
  'subscription.future': 'FUTURE',
  'subscription.completed': 'COMPLETED',
  'subscription.non_renewing': 'NON_RENEWING',
  'subscription.cancelled': 'CANCELLED',
};

/** A subscription that is paid by card every 30 days. */
export function sampleSubscription(kind: EventKind, now: Date) {
  const status = SAMPLE_STATUSES[kind] ?? 'ACTIVE';
  const active = status === 'ACTIVE' || status === 'NON_RENEWING';
  const period_end = new Date(now.getTime() + 30 * 86_400_000);
  return {
    payment_method: newId(),
    name: 'Sample subscription',
    status,
    active,
    starting_date: now,
    ending_date: status === 'NON_RENEWING' ? period_end : null,
    infinite: status !== 'NON_RENEWING',
    current_billing_date_period_start: active ? now : null,
    current_billing_date_period_end: active ? period_end : null,
    payments: active ? [newId()] : [],
    last_billed_date: active ? now : null,
    last_billed_amount: active ? 10 : null,
    next_billing_date: status === 'ACTIVE' ? period_end : null,
  };
}
