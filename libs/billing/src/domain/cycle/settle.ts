import type { Refund } from '../lines/period-credits.js';
import type { Holding, HoldingOf } from '../lines/credit.js';
import { failedForGood, owing } from '../lifecycle/ending.js';
import {
  isCancelledInPause,
  withReceivable,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import {
  debtNumber,
  inFlight,
  inProcess,
  quoteNumber,
  toAuthenticate,
  toRetry,
  type AnyPaymentKey,
  type OpenPayment,
} from '../receivable/open-payment.js';
import { collecting, openNamed, withOpen, withoutOpen } from '../receivable/open-payments.js';
import { withLatePayment, withPayment } from '../receivable/accounts.js';
import { withCarried } from '../receivable/receivable.js';
import { retryDate } from '../receivable/retry.js';
import { AUTHENTICATION_MS } from './due-actions.js';
import { View } from './view.js';
import { notOwed, redeemedBy, type ChargeResult, type Settled } from './decision.js';
import { finishedIfDue } from './finish.js';
import { withDerivedFields } from './derived-fields.js';
import { settleQuote } from './settle-quote.js';

/**
 * Applies the outcome of a payment to its subscription, including the late success of an abandoned one. Called once
 * each time a payment becomes SUCCEEDED, FAILED, REQUIRES_AUTH or accepted, in the unit of work that settles it, even
 * when it is opened; never calls terms.price().
 */
export function settleCharge(
  state: SubscriptionState,
  terms: Terms,
  result: ChargeResult,
  now: Date,
  holdingOf: HoldingOf = nothingHeld,
): Settled {
  const { plan } = terms;
  const open = openNamed(state.receivable.open_payments, result);
  if (open === null) {
    return result.status === 'SUCCEEDED'
      ? succeededLate(knowingDebt(state, result), plan, result)
      : { state, event: null, refunds: [], redeems: null };
  }
  const answered = { ...open, attempts: result.attempts };
  if (result.status === 'PROCESSING') return accepted(state, plan, answered);
  if (quoteNumber(open) !== null) return settleQuote({ state, terms, now, holdingOf }, answered, result);
  const { refunds, ...settled } = outcomeOf(state, plan, answered, result, now);
  const after = finishedIfDue(settled, plan, now);
  return {
    state: withDerivedFields(after.state, plan),
    event: after.event,
    refunds,
    redeems: redeemedBy(result),
  };
}

/** What a payment holds where nobody asks for it. */
function nothingHeld(): Holding {
  return { free: 0, disputed: 0 };
}

/** The provider has accepted the payment: its result may take days. */
function accepted(state: SubscriptionState, plan: PlanTerms, open: OpenPayment): Settled {
  const after = withOpenPayment(state, inProcess(open));
  return { state: withDerivedFields(after, plan), event: null, refunds: [], redeems: null };
}

/**
 * Marks an authenticated payment as in flight again: no decision follows before the answer. Null where it is in flight
 * already or not the open payment.
 */
export function resumeCharge(
  state: SubscriptionState,
  { plan }: Pick<Terms, 'plan'>,
  payment: AnyPaymentKey,
): Transition | null {
  const open = openNamed(state.receivable.open_payments, payment);
  if (open === null || open.state === 'IN_FLIGHT') return null;
  return {
    state: withDerivedFields(withOpenPayment(state, inFlight(open, open.attempts)), plan),
    event: null,
  };
}

/** What an outcome leads to, and the part of the payment that is not owed any more. */
type Outcome = Transition & { readonly refunds: readonly Refund[] };

function outcomeOf(
  state: SubscriptionState,
  plan: PlanTerms,
  open: OpenPayment,
  result: ChargeResult,
  now: Date,
): Outcome {
  if (result.status === 'SUCCEEDED') return succeeded(state, open, now);
  const refunds: Refund[] = [];
  if (result.status === 'REQUIRES_AUTH') return { ...requiresAuth(state, plan, open, now), refunds };
  return result.below_minimum === true && state.status !== 'CANCELLED'
    ? { state: carried(state, open), event: 'subscription.updated', refunds }
    : { ...failed(state, plan, open, result.decline, now), refunds };
}

/** An amount too small to be charged joins the next charge; the period does not count as failed. */
function carried<S extends SubscriptionState>(state: S, open: OpenPayment): S {
  return { ...state, receivable: withCarried(state.receivable, open) };
}

/** What was credited meanwhile is given back, and debt that was written off meanwhile. */
function succeeded(state: SubscriptionState, open: OpenPayment, now: Date): Outcome {
  const { state: paid, left_minor } = withPayment(state, open, now);
  const { kind, period_key, credits = [] } = open;
  const refunds = [
    ...credits.map((credit) => ({ payment: { kind, period_key }, ...credit })),
    ...notOwed(open, left_minor),
  ];
  return { state: paid, event: 'subscription.updated', refunds };
}

function requiresAuth(state: SubscriptionState, plan: PlanTerms, open: OpenPayment, now: Date): Transition {
  if (isReplaced(state, open)) return failedForGood(state, plan, open);
  const isFirst = !state.receivable.paid_before;
  const waits = isFirst || new View(state, plan).deadlineOf(open) === null;
  const expires_at = waits ? new Date(now.getTime() + AUTHENTICATION_MS) : null;
  return { state: withOpenPayment(state, toAuthenticate(open, expires_at)), event: 'subscription.updated' };
}

function failed(
  state: SubscriptionState,
  plan: PlanTerms,
  open: OpenPayment,
  decline: ChargeResult['decline'],
  now: Date,
): Transition {
  const event = 'subscription.updated';
  if (state.status === 'CANCELLED' && !isCancelledInPause(state)) return failedAfterEnd(state, open);
  // A payment method added meanwhile is tried before the period counts as failed.
  const { collect_debt } = state.receivable;
  if (collect_debt !== null) {
    const counts = collect_debt.counts || open.counts;
    return {
      state: withReceivable(owing(state, open), { collect_debt: { ...collect_debt, counts } }),
      event,
    };
  }
  const isFinal = decline === 'hard' || isReplaced(state, open);
  const retry_at = isFinal ? null : retryDate(plan, open, new View(state, plan).deadlineOf(open), now);
  if (retry_at === null) return failedForGood(state, plan, open);
  return { state: withOpenPayment(state, toRetry(open, retry_at)), event };
}

/** Whether another charge has taken the place of a payment while its result was awaited. */
function isReplaced({ receivable }: SubscriptionState, open: OpenPayment): boolean {
  return collecting(withoutOpen(receivable.open_payments, open)) !== null;
}

/** A cancelled subscription owes what it was served with; what it was not is forgotten. */
function failedAfterEnd(state: SubscriptionState, open: OpenPayment): Transition {
  if (open.state === 'PROCESSING' && open.own.length > 0) {
    return { state: owing(state, open), event: 'subscription.updated' };
  }
  const open_payments = withoutOpen(state.receivable.open_payments, open);
  return { state: withReceivable<SubscriptionState>(state, { open_payments }), event: null };
}

function withOpenPayment<S extends SubscriptionState>(state: S, open: OpenPayment): S {
  const open_payments = withOpen(state.receivable.open_payments, open);
  return { ...state, receivable: { ...state.receivable, open_payments } };
}

/**
 * The payment that a restored debt payment had replaced; null where there is none. A debt payment whose number the
 * receivable has not reached was written back after a restore: its success had made the open payment part of the debt.
 */
export function replacedByRestored(
  { status, receivable }: SubscriptionState,
  result: Pick<ChargeResult, 'kind' | 'period_key' | 'amount_minor'>,
): OpenPayment | null {
  const { open_payments, outstanding_amount_minor, debts } = receivable;
  const open = collecting(open_payments);
  const number = debtNumber(result);
  if (number === null || number <= debts || status === 'CANCELLED') return null;
  if (open === null || open.state === 'IN_FLIGHT') return null;
  return result.amount_minor > outstanding_amount_minor - open.debt_minor ? open : null;
}

/** The state in which an unknown debt payment was opened; any other state is returned unchanged. */
function knowingDebt<S extends SubscriptionState>(state: S, result: ChargeResult): S {
  const number = debtNumber(result);
  if (number === null || number <= state.receivable.debts) return state;
  const replaced = replacedByRestored(state, result);
  const before = replaced === null ? state : owing(state, replaced);
  return { ...before, receivable: { ...before.receivable, debts: number } };
}

function succeededLate<S extends SubscriptionState>(
  before: S,
  plan: PlanTerms,
  result: ChargeResult,
): Settled {
  const { kind, period_key, amount_minor } = result;
  const number = quoteNumber(result);
  if (number !== null) {
    const quotes = Math.max(number, before.receivable.quotes);
    const state = withReceivable<SubscriptionState>(before, { quotes });
    return { state, event: null, refunds: notOwed(result, amount_minor), redeems: null };
  }
  const { state: paid, left_minor } = withLatePayment(before, { kind, period_key }, amount_minor);
  const state =
    before.status === 'CANCELLED' ? paid : withReceivable<SubscriptionState>(paid, { failed_attempts: 0 });
  return {
    state: withDerivedFields(state, plan),
    event: 'subscription.updated',
    refunds: notOwed(result, left_minor),
    redeems: left_minor < amount_minor ? redeemedBy(result) : null,
  };
}
