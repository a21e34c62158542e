import type { OpenPayment } from '../receivable/open-payment.js';
import { openOfQuote, withoutOpen } from '../receivable/open-payments.js';
import type { ChangeQuote, StartQuote } from './quote.js';
import {
  withReceivable,
  type CreatedState,
  type RunningState,
  type SubscriptionState,
} from './subscription-state.js';

/** The states in which a quote may wait for its payment. */
export type QuotedState =
  | (RunningState & { readonly quote: ChangeQuote })
  | (CreatedState & { readonly quote: StartQuote });

export function isQuoted(state: SubscriptionState): state is QuotedState {
  return 'quote' in state && state.quote !== null;
}

/** The payment of the quote; null without a quote. */
export function paymentOfQuote(state: SubscriptionState): OpenPayment | null {
  return isQuoted(state) ? openOfQuote(state.receivable.open_payments, state.quote.number) : null;
}

/** The state without its quote, whose payment billing gives up. */
export function withoutQuote<S extends SubscriptionState>(state: S): S {
  return isQuoted(state) ? { ...state, quote: null } : state;
}

/** The state without its quote and without the payment of the quote. */
export function withoutQuoteAndPayment<S extends SubscriptionState>(state: S): S {
  const payment = paymentOfQuote(state);
  const { open_payments } = state.receivable;
  const left = payment === null ? open_payments : withoutOpen(open_payments, payment);
  return withReceivable<S>(withoutQuote(state), { open_payments: left } as Partial<S['receivable']>);
}
