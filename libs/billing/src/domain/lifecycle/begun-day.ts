import { wallTimeOf } from '@commerce/kernel';

import { endedBefore, type BillingPeriod, type PeriodCut } from '../receivable/billing-period.js';
import { basePriceMinor } from '../receivable/period-charge.js';
import { firstUnusedDay } from '../pricing/proration.js';
import type { Terms } from '../pricing/terms.js';
import type { FutureState, RunningState } from './subscription-state.js';

/**
 * The day in which a change begins: the end of what held before it, and the dearest price that this day is charged at, if
 * it is.
 */
export function begunDay(
  { schedule }: RunningState | FutureState,
  terms: Terms,
  running: BillingPeriod | null,
  at: Date,
): Pick<PeriodCut, 'after' | 'over_minor'> {
  if (running === null) return { after: at };
  const { timezone } = schedule;
  const entry = running.cuts.findLast(({ takes }) => takes === 'unused');
  const isResumed = entry?.at.getTime() === at.getTime();
  const after = isResumed ? endedBefore(running, entry) : at;
  const { day } = wallTimeOf(at, timezone);
  const isUsed = after !== null && firstUnusedDay(after, timezone) > day;
  if (!isUsed || terms.settings.proration_mode === 'second') return { after };
  const isSameDay = entry !== undefined && wallTimeOf(entry.at, timezone).day === day;
  const earlier = isSameDay ? (entry.over_minor ?? 0) : 0;
  // Terms that a change began at the same instant have held for no time.
  const hasHeld = !isResumed || entry.after === undefined;
  const own = hasHeld ? (running.base_minor ?? basePriceMinor(schedule, terms, running)) : 0;
  return { after, over_minor: Math.max(earlier, own) };
}
