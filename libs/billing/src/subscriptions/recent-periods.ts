import { DAY_MS, fault } from '@commerce/kernel';

import { chargesAhead } from '../domain/ahead/charges-ahead.js';
import type { PreviewedCharge } from '../domain/ahead/lookahead.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { timingOf } from '../domain/lines/settlement.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** Number of billing periods of one subscription that are charged within a day of real time. */
export const PERIODS_A_DAY = 3;

/** The dates of the period charges within the last day, the oldest first. */
export function recentPeriods(
  { recent_periods }: Pick<SubscriptionRecord, 'recent_periods'>,
  real: Date,
): readonly Date[] {
  return recent_periods.filter((at) => real.getTime() - at.getTime() < DAY_MS);
}

/**
 * Refuses a new calendar whose period would only put billing on hold. On a test clock any number is allowed.
 * @param state as it would be with the new calendar
 * @throws Fault `subscription.reanchored_too_often` with `possible_from`
 */
export function requireRoomForPeriod(
  subscription: Pick<SubscriptionRecord, 'recent_periods' | 'test_clock'>,
  state: SubscriptionState,
  terms: Terms,
  now: Date,
): void {
  if (subscription.test_clock !== null) return;
  const recent = recentPeriods(subscription, now);
  // In arrears the new period is charged later: at its end, or by the next pause.
  const needed = periodsDueNow(state, terms, now) + (timingOf(terms.plan) === 'advance' ? 0 : 1);
  const tooMany = recent.length + needed - PERIODS_A_DAY;
  if (tooMany <= 0) return;
  const last = recent[Math.min(tooMany, recent.length) - 1] ?? now;
  const possible_from = last.getTime() + DAY_MS;
  const message = `Within 24 hours at most ${String(PERIODS_A_DAY)} periods of a subscription are charged; start it without reanchor, or later`;
  throw fault('subscription.reanchored_too_often', message, {
    possible_from,
    retry_after_ms: possible_from - now.getTime(),
  });
}

/** The period charges that billing would make now, not counting debt alone. */
function periodsDueNow(state: SubscriptionState, terms: Terms, now: Date): number {
  let periods = 0;
  for (const charge of chargesAhead([{ state, terms, canPay: true, now }])) {
    if (charge.date > now) break;
    if (beginsPeriod(charge)) periods += 1;
  }
  return periods;
}

/** Whether a charge is the first of a period: it prices what holds from the start of it, or is for nothing else. */
function beginsPeriod({ kind, period_start, breakdown: { parts } }: PreviewedCharge): boolean {
  const isForPeriod = parts.some((part) => part.kind !== 'outstanding');
  const start = period_start.getTime();
  const isPriced = parts.some(
    (part) => part.kind === 'period' && part.priced_from !== null && part.from === start,
  );
  return isForPeriod && (kind === 'period' || isPriced);
}
