import { withCarried, withLatePayment, withPayment } from '../receivable/receivable.js';
import type { PaymentKey, PeriodShare } from '../lines/payment-key.js';
import {
  changeNumber,
  debtNumber,
  inFlight,
  toAuthenticate,
  toRetry,
  type OpenPayment,
} from '../receivable/open-payment.js';
import { retryDate } from '../receivable/retry.js';
import { changed } from '../lifecycle/changing.js';
import { failedForGood, owing } from '../lifecycle/ending.js';
import type { AwaitedChange } from '../lifecycle/pending-change.js';
import { priced, type QuotedTerms } from '../lines/billing-period.js';
import type { Holding, HoldingOf } from '../lines/credit.js';
import { settlePeriods, type Refund } from '../lines/settle-periods.js';
import { timingOf } from '../lines/settlement.js';
import { endsOf } from '../lifecycle/periods.js';
import type { DecisionContext } from './charges.js';
import {
  isCancelledInPause,
  withReceivable,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { PlanTerms, Terms } from '../pricing/terms.js';
import { AUTHENTICATION_MS, isAwaited, retryDeadline, withoutAwaited } from './due-actions.js';
import type { ChargeResult, Settled } from './decision.js';
import { finishedIfDue } from './finish.js';
import { withDerivedFields } from './derived-fields.js';

/**
 * Applies the outcome of a payment to its subscription, including the late success of an abandoned one. Called once
 * each time a payment becomes SUCCEEDED, FAILED or REQUIRES_AUTH, in the unit of work that settles it, even when it is
 * opened; never calls terms.price().
 */
export function settleCharge(
  state: SubscriptionState,
  terms: Terms,
  result: ChargeResult,
  now: Date,
  holdingOf: HoldingOf = nothingHeld,
): Settled {
  const { plan } = terms;
  const open = openOf(state, result);
  if (open === null) {
    return result.status === 'SUCCEEDED'
      ? succeededLate(knowingDebt(state, result), plan, result)
      : { state, event: null, refunds: [], redeems: null };
  }
  const answered = inFlight(open, result.attempts);
  if (changeNumber(open) !== null)
    return settleChangePayment({ state, terms, now, holdingOf }, answered, result);
  const settled = outcomeOf(state, plan, answered, result, now);
  const after = finishedIfDue(settled, plan, now);
  const redeems = redeemedBy(result);
  return { state: withDerivedFields(after.state, plan), event: after.event, refunds: [], redeems };
}

/** What a payment holds where nobody asks for it. */
function nothingHeld(): Holding {
  return { free: 0, disputed: 0 };
}

/** The payment of a quote: its change takes effect as it succeeds, and is dropped as it fails. */
function settleChangePayment(context: DecisionContext, open: OpenPayment, result: ChargeResult): Settled {
  const { state, terms, now } = context;
  const event = 'subscription.updated';
  if (result.status === 'REQUIRES_AUTH') {
    const expires_at = new Date(now.getTime() + AUTHENTICATION_MS);
    const waiting = withReceivable(state, { open_payment: toAuthenticate(open, expires_at) });
    return { state: withDerivedFields(waiting, terms.plan), event, refunds: [], redeems: null };
  }
  if (result.status === 'SUCCEEDED' && isAwaited(state)) {
    const paid = paidChange({ ...context, state }, open);
    const { plan } = terms.for(paid.state.subscribed);
    return { ...paid, state: withDerivedFields(paid.state, plan), event, redeems: redeemedBy(result) };
  }
  const dropped = isAwaited(state) ? withoutAwaited(state) : withReceivable(state, { open_payment: null });
  const refunds = result.status === 'SUCCEEDED' ? notOwed(open, result.amount_minor) : [];
  return { state: withDerivedFields(dropped, terms.plan), event, refunds, redeems: null };
}

/**
 * The state after a quote, whose change takes effect as of its date and is reckoned against the books of now: too much
 * goes to the balance, too little is owed.
 */
function paidChange(
  { state, terms, now, holdingOf }: DecisionContext<RunningState & { pending_change: AwaitedChange }>,
  open: OpenPayment,
): { readonly state: RunningState; readonly refunds: readonly Refund[] } {
  const { at, prices, ...to } = state.pending_change;
  const after = withPrices(changed<RunningState>(state, terms, to, at), prices);
  const { kind, period_key, debt_minor } = open;
  const settled = settlePeriods({
    line: { schedule: after.schedule, terms: terms.for(after.subscribed) },
    periods: after.receivable.periods,
    timing: timingOf(terms.for(after.subscribed).plan),
    endsOf: (period) => endsOf(after, period),
    reason: 'stop',
    payment: { kind, period_key },
    ...{ at, holdingOf },
  });
  const needed_minor = settled.charge?.amount_minor ?? 0;
  // The rest of the amount is debt, and a setup fee that was due with the change.
  const given_minor = open.own.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const hasSetup = open.amount_minor - debt_minor > given_minor;
  const receivable = {
    ...after.receivable,
    ...(hasSetup ? { setup_due: null, setup_charged: true } : {}),
    periods: settled.periods,
    outstanding_amount_minor:
      after.receivable.outstanding_amount_minor -
      settled.forgiven_minor +
      Math.max(0, needed_minor - given_minor),
  };
  const own = dividedAmong(settled.charge?.own ?? [], given_minor);
  const paid = withPayment({ ...receivable, open_payment: open }, { ...open, own }, now);
  const left = notOwed(open, given_minor - needed_minor).map((one) => ({ ...one, to: 'balance' as const }));
  return { state: { ...after, receivable: paid }, refunds: [...settled.refunds, ...left] };
}

/** The periods at the prices of a quote. */
function withPrices(state: RunningState, prices: readonly QuotedTerms[]): RunningState {
  const periods = state.receivable.periods.map((period) => priced(period, prices));
  return { ...state, receivable: { ...state.receivable, periods } };
}

/** The shares of a charge that an amount pays, the first first. */
function dividedAmong(own: readonly PeriodShare[], amount_minor: number): PeriodShare[] {
  let left = amount_minor;
  return own.map(({ of, amount_minor: asked }) => {
    const part = Math.min(left, asked);
    left -= part;
    return { of, amount_minor: part };
  });
}

function redeemedBy({ status, redeems = null }: ChargeResult): string | null {
  return status === 'SUCCEEDED' ? redeems : null;
}

function notOwed({ kind, period_key }: PaymentKey, amount_minor: number): Refund[] {
  if (amount_minor <= 0) return [];
  return [{ payment: { kind, period_key }, key: 'late', amount_minor, reason: 'not owed any more' }];
}

/** The key of a payment that may be for something other than a subscription. */
type AnyPaymentKey = Readonly<Record<keyof PaymentKey, string>>;

/**
 * Marks an authenticated payment as in flight again: no decision follows before the answer. Null where it is in flight
 * already or not the open payment.
 */
export function resumeCharge(
  state: SubscriptionState,
  { plan }: Pick<Terms, 'plan'>,
  payment: AnyPaymentKey,
): Transition | null {
  const open = openOf(state, payment);
  if (open === null || open.state === 'IN_FLIGHT') return null;
  const open_payment = inFlight(open, open.attempts);
  return { state: withDerivedFields(withReceivable(state, { open_payment }), plan), event: null };
}

function openOf({ receivable }: SubscriptionState, { kind, period_key }: AnyPaymentKey): OpenPayment | null {
  const { open_payment: open } = receivable;
  return open !== null && open.kind === kind && open.period_key === period_key ? open : null;
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
      return { state: succeeded(state, open, now), event: 'subscription.updated' };
    case 'REQUIRES_AUTH':
      return requiresAuth(state, plan, open, now);
    case 'FAILED':
      return result.below_minimum && state.status !== 'CANCELLED'
        ? { state: carried(state, open), event: 'subscription.updated' }
        : failed(state, plan, open, result.decline, now);
  }
}

/** An amount too small to be charged joins the next charge; the period does not count as failed. */
function carried<S extends SubscriptionState>(state: S, open: OpenPayment): S {
  return { ...state, receivable: withCarried(state.receivable, open) };
}

function succeeded<S extends SubscriptionState>(state: S, open: OpenPayment, now: Date): S {
  return { ...state, receivable: withPayment(state.receivable, open, now) };
}

function requiresAuth(state: SubscriptionState, plan: PlanTerms, open: OpenPayment, now: Date): Transition {
  const isFirst = !state.receivable.paid_before;
  const waits = isFirst || retryDeadline(state, plan, open) === null;
  const expires_at = waits ? new Date(now.getTime() + AUTHENTICATION_MS) : null;
  const open_payment = toAuthenticate(open, expires_at);
  return { state: withReceivable(state, { open_payment }), event: 'subscription.updated' };
}

function failed(
  state: SubscriptionState,
  plan: PlanTerms,
  open: OpenPayment,
  decline: ChargeResult['decline'],
  now: Date,
): Transition {
  const event = 'subscription.updated';
  if (state.status === 'CANCELLED' && !isCancelledInPause(state)) {
    return { state: withReceivable(state, { open_payment: null }), event: null };
  }
  // A payment method added meanwhile is tried before the period counts as failed.
  const { collect_debt } = state.receivable;
  if (collect_debt !== null) {
    const counts = collect_debt.counts || open.counts;
    return {
      state: withReceivable(owing(state, open), { collect_debt: { ...collect_debt, counts } }),
      event,
    };
  }
  const retry_at = decline === 'hard' ? null : retryDate(plan, open, retryDeadline(state, plan, open), now);
  if (retry_at === null) return failedForGood(state, plan, open);
  return { state: withReceivable(state, { open_payment: toRetry(open, retry_at) }), event };
}

/**
 * The payment that a restored debt payment had replaced; null where there is none. A debt payment whose number the
 * receivable has not reached was written back after a restore: its success had made the open payment part of the debt.
 */
export function replacedByRestored(
  { status, receivable }: SubscriptionState,
  result: Pick<ChargeResult, 'kind' | 'period_key' | 'amount_minor'>,
): OpenPayment | null {
  const { open_payment: open, outstanding_amount_minor, debts } = receivable;
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
  const number = changeNumber(result);
  if (number !== null) {
    const changes = Math.max(number, before.receivable.changes);
    const state = withReceivable<SubscriptionState>(before, { changes });
    return { state, event: null, refunds: notOwed(result, amount_minor), redeems: null };
  }
  const { receivable, left_minor } = withLatePayment<S['receivable']>(
    before.receivable,
    { kind, period_key },
    amount_minor,
  );
  const paid: S = { ...before, receivable };
  const state =
    before.status === 'CANCELLED' ? paid : withReceivable<SubscriptionState>(paid, { failed_attempts: 0 });
  return {
    state: withDerivedFields(state, plan),
    event: 'subscription.updated',
    refunds: notOwed(result, left_minor),
    redeems: left_minor < amount_minor ? redeemedBy(result) : null,
  };
}
