import { fieldFault } from '@commerce/kernel';

import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';

type ChangeDate = Date | 'now' | 'period_end';

/**
 * The date of a customer's change; left out: now. Where one of the plans is not prorated, no part of a period may have its
 * terms: left out, the end of the period.
 * @throws Fault `plan.not_prorated` at `at` for a date within a period
 */
export function customerChangeDate(
  state: SubscriptionState,
  plans: readonly Pick<PlanTerms, 'is_prorated'>[],
  at: ChangeDate | null,
): ChangeDate {
  const isRunning = state.status === 'ACTIVE' && !state.in_trial;
  if (!isRunning || plans.every(({ is_prorated }) => is_prorated)) return at ?? 'now';
  const { schedule } = state;
  if (at === null || at === 'period_end') return 'period_end';
  const begins = at === 'now' ? null : schedule.period(Math.max(0, schedule.indexAt(at))).start;
  if (at !== 'now' && begins?.getTime() === at.getTime()) return at;
  const message = 'at must be the start of a period, as one of the plans is not prorated';
  throw fieldFault('at', message, 'plan.not_prorated');
}
