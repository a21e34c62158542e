import { changed } from '../lifecycle/changing.js';
import { isQuoted, withoutQuoteAndPayment, type QuotedState } from '../lifecycle/quoted-state.js';
import { started } from '../lifecycle/starting.js';
import {
  subscribedOf,
  withReceivable,
  type FutureState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import { priced, type QuotedTerms } from '../lines/billing-period.js';
import type { PeriodShare } from '../lines/payment-key.js';
import type { Refund } from '../lines/period-credits.js';
import { discounted } from '../pricing/discount.js';
import type { Terms } from '../pricing/terms.js';
import { quoteNumber, toAuthenticate, type OpenPayment } from '../receivable/open-payment.js';
import { withOpen, withoutOpen } from '../receivable/open-payments.js';
import { eachPeriod, withPayment } from '../receivable/accounts.js';
import { settleDue, type DecisionContext } from './charges.js';
import { notOwed, redeemedBy, type ChargeResult, type Settled } from './decision.js';
import { withDerivedFields } from './derived-fields.js';
import { AUTHENTICATION_MS } from './due-actions.js';

/** The payment of a quote: the quote takes effect as it succeeds, and is dropped as it fails. */
export function settleQuote(context: DecisionContext, open: OpenPayment, result: ChargeResult): Settled {
  const { state, terms, now } = context;
  const event = 'subscription.updated';
  const own = isQuoted(state) && state.quote.number === quoteNumber(open) ? state : null;
  if (result.status === 'REQUIRES_AUTH') {
    const expires_at = new Date(now.getTime() + AUTHENTICATION_MS);
    const open_payments = withOpen(state.receivable.open_payments, toAuthenticate(open, expires_at));
    const waiting = withReceivable<SubscriptionState>(state, { open_payments });
    return { state: withDerivedFields(waiting, terms.plan), event, refunds: [], redeems: null };
  }
  if (result.status === 'SUCCEEDED' && own !== null) {
    const paid = paidQuote({ ...context, state: own }, open);
    const { plan } = terms.for(subscribedOf(paid.state));
    return { ...paid, state: withDerivedFields(paid.state, plan), redeems: redeemedBy(result) };
  }
  const open_payments = withoutOpen(state.receivable.open_payments, open);
  const dropped: SubscriptionState =
    own === null ? withReceivable(state, { open_payments }) : withoutQuoteAndPayment<SubscriptionState>(own);
  const refunds = result.status === 'SUCCEEDED' ? notOwed(open, result.amount_minor) : [];
  return { state: withDerivedFields(dropped, terms.plan), event, refunds, redeems: null };
}

type Paid = Transition<RunningState> & { readonly refunds: readonly Refund[] };

/**
 * The state after a quote, which takes effect as of its date and is reckoned against the books of now: too much goes to
 * the balance, too little is owed.
 */
function paidQuote({ state, terms, now, holdingOf }: DecisionContext<QuotedState>, open: OpenPayment): Paid {
  const applied = appliedQuote(state, terms);
  const after = withPrices(applied.state, state.quote.prices);
  const { kind, period_key, debt_minor } = open;
  const payment = { kind, period_key };
  const settled = settleDue(after, { terms, payment, at: state.quote.at, holdingOf });
  const needed_minor = settled.charge?.amount_minor ?? 0;
  // The rest of the amount is debt, and a setup fee that was due with the quote.
  const given_minor = open.own.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const hasSetup = open.amount_minor - debt_minor > given_minor;
  const { receivable } = settled.state;
  const owed_minor = receivable.outstanding_amount_minor + Math.max(0, needed_minor - given_minor);
  const owing = withReceivable(settled.state, {
    ...(hasSetup ? { setup_due: null, setup_charged: true } : {}),
    outstanding_amount_minor: owed_minor,
  });
  const own = dividedAmong(settled.charge?.own ?? [], given_minor);
  const booked = withPayment(owing, { ...open, own }, now);
  const left = notOwed(open, Math.max(0, given_minor - needed_minor) + booked.left_minor);
  const refunds = [...settled.refunds, ...left.map((one) => ({ ...one, to: 'balance' as const }))];
  return { state: booked.state, event: applied.event, refunds };
}

/** The change or start of a quote, as of its date. */
function appliedQuote(state: QuotedState, terms: Terms): Transition<RunningState> {
  if (state.status === 'CREATED') {
    const { at, term, trial_days } = state.quote;
    const own = { ...terms, plan: { ...terms.plan, trial_days } };
    return requireRunning(started({ ...state, term, quote: null }, own, at, at));
  }
  const { at, subscribed, credit, set_by, discount } = state.quote;
  const to = { subscribed, credit, set_by, ...discounted(discount) };
  return { state: changed<RunningState>(state, terms, to, at), event: 'subscription.updated' };
}

function requireRunning({ state, event }: Transition<FutureState | RunningState>): Transition<RunningState> {
  if (state.status !== 'ACTIVE') throw new RangeError('A start that was paid for lies ahead');
  return { state, event };
}

/** The periods at the prices of a quote. */
function withPrices(state: RunningState, prices: readonly QuotedTerms[]): RunningState {
  return eachPeriod(state, (period) => priced(period, prices));
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
