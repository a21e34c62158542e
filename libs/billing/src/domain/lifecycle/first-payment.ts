import { owedMinor } from '../lines/books.js';
import type { PlanTerms } from '../pricing/terms.js';
import { periodsOf } from '../receivable/accounts.js';
import { chargesOf } from '../receivable/open-payments.js';
import { lineOf, type SubscriptionState } from './subscription-state.js';

/**
 * Whether service waits for the first payment: under CANCEL, from the date on which it is due until it has succeeded.
 * An amount too small to be charged alone does not hold service up.
 */
export function awaitsFirstPayment(
  state: SubscriptionState,
  { initial_fail_amount_action }: PlanTerms,
): boolean {
  if (initial_fail_amount_action !== 'CANCEL') return false;
  if ((state.status !== 'ACTIVE' && state.status !== 'NON_RENEWING') || !state.active) return false;
  const { paid_before, open_payments, setup_due, last_billed_date, ...owed } = state.receivable;
  if (paid_before) return false;
  const isOpen = chargesOf(open_payments).length > 0;
  // What was too small to be charged was billed, unless another subscription left it.
  const isOwn = owed.carried_amount_minor > 0 && periodsOf(state).some(({ books }) => owedMinor(books) > 0);
  const isBilled = last_billed_date !== null || isOwn;
  const isInAdvance = lineOf(state).timing === 'advance';
  const isDue = setup_due !== null || (isInAdvance && !state.in_trial && !isBilled);
  return isOpen || isDue || owed.outstanding_amount_minor > owed.carried_amount_minor;
}
