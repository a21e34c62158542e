import { shareOf, toMinor } from '@commerce/kernel';

import { hasStarted, lineOf } from '../lifecycle/subscription-state.js';
import { Lookahead, type AheadInput } from './lookahead.js';

/**
 * Whether the first charge is above 0 and, after the part that the balance pays, below the card provider's minimum. A
 * charge after a trial is not the first.
 */
export function isFirstChargeTooSmall(ahead: AheadInput, balance_minor: number): boolean {
  const { minimum_minor = 0 } = ahead;
  const lookahead = new Lookahead({ ...ahead, minimum_minor: 0 });
  while (lookahead.due !== null) {
    const { charge } = lookahead.step({ minor: 0 });
    if (charge === null) continue;
    const { current } = lookahead;
    const trialEnd = hasStarted(current) ? lineOf(current).schedule.facts.trial_ending_date : null;
    if (trialEnd !== null && trialEnd > ahead.now && charge.date >= trialEnd) return false;
    const amount_minor = toMinor(charge.amount, charge.breakdown.currency);
    const { rest_minor } = shareOf(amount_minor, balance_minor, { minimum_minor, canPay: true });
    return rest_minor > 0 && rest_minor < minimum_minor;
  }
  return false;
}
