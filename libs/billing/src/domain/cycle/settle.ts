import { toMajor, toMinor } from '@commerce/kernel';
import { AUTHENTICATION_MS, cutOffDate } from './cycle-agenda.js';
import { applied, withDerived } from './cycle-derived.js';
import { finishIfDue } from './cycle-finish.js';
import type { ChargeResult, Settled, Transition } from './decision.js';
import { becomesDebt, becomesPaid, eachSlice, failForGood, plus, retryDate } from '../ledger/retry.js';
import type { OpenPayment, StateChanges, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { PlanTerms, Terms } from '../lifecycle/subscription-terms.js';

const NOTHING: Transition = { changes: {}, event: null };

/**
 * Takes the outcome of a payment of the subscription in, also a late success of one that had been given up. To be
 * called once for each time that a payment becomes SUCCEEDED, FAILED or REQUIRES_AUTH, in the unit of work that
 * settles it, also where it is settled as it is opened (0, or no payment method). Never asks terms.price().
 */
export function settleCharge(
  state: SubscriptionState,
  { plan }: Pick<Terms, 'plan'>,
  result: ChargeResult,
  now: Date,
): Settled {
  const open = state.open_payment;
  if (open === null || open.kind !== result.kind || open.slice !== result.slice) {
    return result.status === 'SUCCEEDED'
      ? succeededLate(state, plan, result)
      : { changes: {}, event: null, refund: null };
  }
  const settled = outcomeOf(state, plan, { ...open, attempts: result.attempts }, result, now);
  const finished = finishIfDue(applied(state, settled.changes), plan, now);
  const changes = { ...settled.changes, ...finished.changes };
  return {
    changes: withDerived(state, changes, plan),
    event: finished.event ?? settled.event,
    refund: null,
  };
}

function outcomeOf(
  state: SubscriptionState,
  plan: PlanTerms,
  open: OpenPayment,
  result: ChargeResult,
  now: Date,
): Transition {
  switch (result.status) {
    case 'SUCCEEDED':
      return succeeded(state, open, now);
    case 'REQUIRES_AUTH':
      return requiresAuth(state, plan, open, now);
    case 'FAILED':
      return failed(state, plan, open, result.decline, now);
  }
}

function succeeded(state: SubscriptionState, open: OpenPayment, now: Date): Transition {
  const outstanding = toMinor(state.outstanding_amount, state.currency) - toMinor(open.debt, state.currency);
  const changes: StateChanges = {
    ...becomesPaid(state, open),
    open_payment: null,
    outstanding_amount: toMajor(outstanding, state.currency),
    failed_attempts: 0,
    last_billed_date: now,
    last_billed_amount: open.amount,
    paid_before: state.paid_before || open.amount > 0,
    // Nothing is left for a new payment method to collect.
    ...(outstanding === 0 ? { collect_debt: null } : {}),
  };
  return { changes, event: 'subscription.updated' };
}

function requiresAuth(state: SubscriptionState, plan: PlanTerms, open: OpenPayment, now: Date): Transition {
  const isFirst = !state.paid_before;
  const waits = isFirst || cutOffDate(state, plan, open) === null;
  const expires_at = waits ? new Date(now.getTime() + AUTHENTICATION_MS) : null;
  const open_payment: OpenPayment = { ...open, state: 'REQUIRES_AUTH', retry_at: null, expires_at };
  return { changes: { open_payment }, event: 'subscription.updated' };
}

function failed(
  state: SubscriptionState,
  plan: PlanTerms,
  open: OpenPayment,
  decline: ChargeResult['decline'],
  now: Date,
): Transition {
  if (state.status === 'CANCELLED') return { ...NOTHING, changes: { open_payment: null } };
  // A payment method that came while this one was asked is tried before anything counts as failed.
  if (state.collect_debt !== null) {
    const { at, counts } = state.collect_debt;
    const collect_debt = { at, counts: counts || open.counts };
    return { changes: { ...becomesDebt(state, open), collect_debt }, event: 'subscription.updated' };
  }
  const retry_at = decline === 'hard' ? null : retryDate(plan, open, cutOffDate(state, plan, open), now);
  if (retry_at === null) return failForGood(state, plan, open);
  const open_payment: OpenPayment = { ...open, state: 'RETRYING', retry_at, expires_at: null };
  return { changes: { open_payment }, event: 'subscription.updated' };
}

/**
 * A payment that had been given up came in after all, so what it was for has become debt. The debt is paid by it;
 * what is not owed any more, or is being collected by another payment right now, goes back.
 */
function succeededLate(state: SubscriptionState, plan: PlanTerms, result: ChargeResult): Settled {
  const { currency } = state;
  const collecting = toMinor(state.open_payment?.debt ?? 0, currency);
  const outstanding = toMinor(state.outstanding_amount, currency);
  const covered = Math.min(result.amount_minor, Math.max(0, outstanding - collecting));
  const back = result.amount_minor - covered;
  let left = covered;
  const pays = eachSlice(state, (slice) => {
    const part = Math.min(left, toMinor(slice.owed, currency));
    if (part <= 0) return slice;
    left -= part;
    const amount = toMajor(part, currency);
    const paid = { kind: result.kind, slice: result.slice, amount };
    return { ...slice, paid: [...slice.paid, paid], owed: plus(slice.owed, -amount, currency) };
  });
  const changes: StateChanges = {
    ...pays,
    outstanding_amount: toMajor(outstanding - covered, currency),
    ...(state.status === 'CANCELLED' ? {} : { failed_attempts: 0 }),
    ...(outstanding === covered && state.open_payment === null ? { collect_debt: null } : {}),
  };
  const payment = { kind: result.kind, slice: result.slice };
  return {
    changes: withDerived(state, changes, plan),
    event: 'subscription.updated',
    refund: back > 0 ? { payment, key: 'late', amount_minor: back, reason: 'not owed any more' } : null,
  };
}
