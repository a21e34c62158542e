import type { Instants } from '@commerce/identity';

import { periodsDue } from '../domain/cycle/view.js';
import type { Charge, Decision } from '../domain/cycle/decision.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Held } from '../subscription-record/held.js';
import { recentPeriods, PERIODS_A_DAY } from '../subscriptions/recent-periods.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** Consecutive unexpected errors after which billing of a subscription goes on hold. */
export const MAX_ERRORS = 5;

/**
 * The reason to have a person look at the subscription before this decision is carried out; null where there is none.
 * Test clocks are exempt, since they exist to rush through time, and a release exempts charges up to its own date.
 */
export function catchingUp(
  subscription: SubscriptionRecord,
  state: SubscriptionState,
  decision: Decision,
  { business, real }: Instants,
): Held | null {
  if (!isBounded(subscription, decision)) return null;
  if (recentPeriods(subscription, real).length < PERIODS_A_DAY) return null;
  return { reason: 'catch_up', since: real, periods: periodsDue(state, business) };
}

/** The dates of the last period charges, as stored once the decision is carried out. */
export function rememberedPeriods(
  subscription: SubscriptionRecord,
  decision: Decision,
  { real }: Instants,
): Pick<SubscriptionRecord, 'recent_periods'> | null {
  if (!isBounded(subscription, decision)) return null;
  return { recent_periods: [...recentPeriods(subscription, real), real] };
}

function isBounded({ test_clock, due, released_at }: SubscriptionRecord, decision: Decision): boolean {
  if (test_clock !== null || decision.do !== 'charge' || !isPeriodCharge(decision.charge)) return false;
  return released_at === null || due === null || due > released_at;
}

/** Whether a payment is the first for a period: `0` or `1.0`, not what follows in it, debt or a setup fee. */
function isPeriodCharge({ period_key }: Charge): boolean {
  return /^[\d.]+$/.test(period_key);
}
