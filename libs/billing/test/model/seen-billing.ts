import type { Charge } from '../../src/domain/cycle/decision.js';
import type { PreviewedCharge } from '../../src/domain/cycle/preview.js';
import type { SubscriptionState } from '../../src/domain/lifecycle/subscription-state.js';
import { hasPeriods } from '../../src/domain/receivable/receivable.js';

/** A charge as a preview shows it. */
export function shownOf(on: Date, { kind, period_start, period_end, breakdown }: Charge): PreviewedCharge {
  const { amount } = breakdown;
  return { date: on, amount, credit_applied: 0, kind, period_start, period_end, breakdown };
}

/** The newest billing period of the calendar that was charged. */
export function chargedThrough({ receivable }: SubscriptionState): number {
  if (!hasPeriods(receivable)) return -1;
  const { period, next_period } = receivable;
  if (period === null) return next_period - 1;
  return period.base_minor === null ? period.index - 1 : period.index;
}

/** Whether billing has begun a period at this very instant; until it runs, the period before is the last. */
export function hasBegunAt(state: SubscriptionState, at: number): boolean {
  const isInTrial = 'in_trial' in state && state.in_trial;
  const { receivable } = state;
  return !isInTrial && hasPeriods(receivable) && receivable.period?.start.getTime() === at;
}
