import { toMajor, toMinor } from '@commerce/kernel';
import { sliceKey } from '../cycle/cycle-calendar.js';
import type { Transition } from '../cycle/decision.js';
import { edgeEvent, type Edge } from '../lifecycle/lifecycle.js';
import type {
  OpenPayment,
  PaidPart,
  RunningSlice,
  StateChanges,
  SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../lifecycle/subscription-terms.js';

const MINUTE_MS = 60_000;

/**
 * When a payment that failed softly is tried again: attempt k at t0 + k times the wait, the first of them that is
 * still to come (an outage does not make them run one upon the other). Null after the last, and where the next
 * slice is due before.
 */
export function retryDate(plan: PlanTerms, open: OpenPayment, cutOff: Date | null, now: Date): Date | null {
  if (!plan.should_retry_payments) return null;
  const wait = plan.retry_payment_in_minutes * MINUTE_MS;
  const since = open.since.getTime();
  const k = Math.floor((now.getTime() - since) / wait) + 1;
  if (k > plan.max_payment_retries) return null;
  const at = new Date(since + k * wait);
  return cutOff !== null && at >= cutOff ? null : at;
}

/**
 * A payment has failed for good: it becomes debt, its period counts as failed, and either may end the subscription.
 * Under CANCEL a first payment that failed is not owed.
 */
export function failForGood(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Transition {
  const isFirst = !state.paid_before;
  const failed_attempts = state.failed_attempts + (open.counts ? 1 : 0);
  if (isFirst && plan.initial_fail_amount_action === 'CANCEL' && canBeCancelled(state)) {
    const changes = { open_payment: null, outstanding_amount: 0, failed_attempts, paid_before: true };
    return cancelled(state, 'initial_failure', { ...changes, reason: 'initial_payment_failed' });
  }
  const changes = { ...becomesDebt(state, open), failed_attempts, paid_before: true };
  const limit = plan.max_fail_attempts ?? 0;
  if (open.counts && limit > 0 && failed_attempts >= limit && hasService(state)) {
    return cancelled(state, 'max_fail_attempts', { ...changes, reason: 'max_fail_attempts' });
  }
  return { changes, event: 'subscription.updated' };
}

/** The payment is given up and what it asked for is owed. */
export function becomesDebt(state: SubscriptionState, open: OpenPayment): StateChanges {
  const added = toMinor(open.amount, state.currency) - toMinor(open.debt, state.currency);
  const owes = (slice: RunningSlice): RunningSlice =>
    sliceKey(slice) === open.of ? { ...slice, owed: plus(slice.owed, open.own, state.currency) } : slice;
  return {
    open_payment: null,
    outstanding_amount: toMajor(toMinor(state.outstanding_amount, state.currency) + added, state.currency),
    ...eachSlice(state, owes),
  };
}

/** The payment has come in: what it held for slices is theirs, and so is the debt of slices that it collected. */
export function becomesPaid(state: SubscriptionState, payment: OpenPayment): StateChanges {
  const { kind, slice: key, of, own } = payment;
  const pays = (slice: RunningSlice): RunningSlice => {
    const debt = payment.debt > 0 ? slice.owed : 0;
    const amount = plus(sliceKey(slice) === of ? own : 0, debt, state.currency);
    if (amount <= 0) return slice;
    const part: PaidPart = { kind, slice: key, amount };
    return { ...slice, paid: [...slice.paid, part], owed: debt > 0 ? 0 : slice.owed };
  };
  return eachSlice(state, pays);
}

/** Ends a subscription. Whatever it waited for is waited for no longer. */
export function cancelled(state: SubscriptionState, by: Edge['by'], changes: StateChanges): Transition {
  return {
    changes: {
      ...changes,
      status: 'CANCELLED',
      active: false,
      in_trial: false,
      setup_due: null,
      collect_debt: null,
      resume_at: null,
    },
    event: edgeEvent(state.status, by, 'CANCELLED'),
  };
}

export function eachSlice(
  state: SubscriptionState,
  change: (slice: RunningSlice) => RunningSlice,
): Pick<SubscriptionState, 'slice' | 'closing'> {
  return { slice: state.slice && change(state.slice), closing: state.closing.map(change) };
}

/** Adds decimals as the amounts that they are. */
export function plus(a: number, b: number, currency: string): number {
  return toMajor(toMinor(a, currency) + toMinor(b, currency), currency);
}

/** A paused subscription is not cancelled behind its customer's back: it may come back with another card. */
function hasService({ status }: SubscriptionState): boolean {
  return status === 'ACTIVE' || status === 'NON_RENEWING';
}

function canBeCancelled(state: SubscriptionState): boolean {
  return hasService(state) || state.status === 'CREATED' || state.status === 'FUTURE';
}
