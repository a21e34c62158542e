import { endingAt } from '../calendar/term.js';
import type { PlanTerms } from '../pricing/terms.js';
import { withDebt, closed } from '../receivable/receivable.js';
import type { OpenPayment } from '../receivable/open-payment.js';
import { withoutOpen } from '../receivable/open-payments.js';
import { edgeEvent, type Edge } from './lifecycle.js';
import {
  lasting,
  withReceivable,
  type CancelledState,
  type CompletedState,
  type CreatedState,
  type EndingState,
  type FutureState,
  type RunningState,
  type SubscriptionState,
} from './subscription-state.js';
import type { Transition } from './transition.js';

/** The states that can be cancelled. A paused subscription cannot: its customer may return with another card. */
type Cancellable = CreatedState | FutureState | RunningState | EndingState;

/** Cancels a subscription. Its debt remains. */
export function cancelled(
  before: Cancellable,
  by: Edge['by'],
  reason: string | null = null,
): Transition<CancelledState> {
  const event = edgeEvent(before.status, by, 'CANCELLED');
  const { derived } = before;
  const end = { status: 'CANCELLED', reason, derived } as const;
  switch (before.status) {
    case 'CREATED': {
      const { subscribed, starting_date, term } = before;
      const receivable = closed(before.receivable);
      return {
        state: { ...end, subscribed, starting_date, term, receivable, prorate_amount_minor: 0 },
        event,
      };
    }
    case 'FUTURE':
    case 'ACTIVE': {
      const { lines, last_prorate_date } = before;
      const receivable = closed(before.receivable);
      return { state: { ...end, lines, last_prorate_date, receivable, prorate_amount_minor: 0 }, event };
    }
    case 'NON_RENEWING': {
      const { prorate_amount_minor, ending_date } = before;
      const { lines, last_prorate_date } = lasting(before, endingAt(ending_date));
      const receivable = closed(before.receivable);
      return { state: { ...end, lines, last_prorate_date, receivable, prorate_amount_minor }, event };
    }
  }
}

/** The end: COMPLETED by its own term, CANCELLED after a stop. */
export function finished(before: RunningState | EndingState): Transition<CompletedState | CancelledState> {
  if (before.status === 'NON_RENEWING') return cancelled(before, 'period_end');
  const { lines, last_prorate_date, receivable, derived } = before;
  return {
    state: { status: 'COMPLETED', lines, last_prorate_date, receivable, derived },
    event: edgeEvent('ACTIVE', 'end', 'COMPLETED'),
  };
}

/**
 * Applies the final failure of a payment: it becomes debt and its period counts as failed, which may end the
 * subscription. Under CANCEL a first payment that failed leaves no debt, except in a pause.
 */
export function failedForGood(before: SubscriptionState, plan: PlanTerms, open: OpenPayment): Transition {
  const isFirst = !before.receivable.paid_before;
  const failed_attempts = before.receivable.failed_attempts + (open.counts ? 1 : 0);
  const isCancelling = isFirst && plan.initial_fail_amount_action === 'CANCEL';
  if (isCancelling && isCancellable(before)) {
    const open_payments = withoutOpen(before.receivable.open_payments, open);
    const forgiven = { failed_attempts, paid_before: true, open_payments, outstanding_amount_minor: 0 };
    return cancelled(withReceivable(before, forgiven), 'initial_failure', 'initial_payment_failed');
  }
  // In a pause the first payment stays to be made: service waits for it after the resume.
  const state = withReceivable(owing(before, open), { failed_attempts, paid_before: !isCancelling });
  const limit = plan.max_fail_attempts ?? 0;
  if (open.counts && limit > 0 && failed_attempts >= limit && isServed(state)) {
    return cancelled(state, 'max_fail_attempts', 'max_fail_attempts');
  }
  return { state, event: 'subscription.updated' };
}

/** Abandons the open payment and adds its amount to the debt. */
export function owing<S extends SubscriptionState>(state: S, open: OpenPayment): S {
  return { ...state, receivable: withDebt(state.receivable, open) };
}

function isServed(state: SubscriptionState): state is RunningState | EndingState {
  return state.status === 'ACTIVE' || state.status === 'NON_RENEWING';
}

function isCancellable(state: SubscriptionState): state is Cancellable {
  return isServed(state) || state.status === 'CREATED' || state.status === 'FUTURE';
}
