import type { PaymentKey } from '../lines/payment-key.js';
import { inFlight, type OpenPayment } from '../receivable/open-payment.js';
import { withOpen, withoutOpen } from '../receivable/open-payments.js';
import { withoutQuote, withoutQuoteAndPayment } from '../lifecycle/quoted-state.js';
import { cancelled, failedForGood, finished, owing } from '../lifecycle/ending.js';
import { scheduledChanged, withScheduled } from '../lifecycle/changing.js';
import { paused, resumed } from '../lifecycle/pausing.js';
import type { Holding, HoldingOf } from '../lines/credit.js';
import { activated, withFirstPeriod } from '../lifecycle/starting.js';
import { withProration } from '../lifecycle/stopping.js';
import {
  subscribedOf,
  withReceivable,
  type EndingState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Terms } from '../pricing/terms.js';
import { nextDueAction, type DueAction, type OpenPaymentAction } from './due-actions.js';
import { chargeDebts, chargeSetup, settle, type DecisionContext } from './charges.js';
import type { Decision } from './decision.js';
import { finishedIfDue } from './finish.js';
import { withDerivedFields } from './derived-fields.js';
import { View } from './view.js';

/**
 * The action with the oldest due date at `now`, or nothing and the next due date; called again after each commit.
 * `canPay`: a payment method or the balance can pay the first charge, which matters while `in_trial` only.
 * @throws Faults of terms.price()
 */
export function decideCycle(
  state: SubscriptionState,
  terms: Terms,
  canPay: boolean,
  now: Date,
  holdingOf: HoldingOf = wholePayment,
): Decision {
  const view = new View(state, terms.plan);
  const item = nextDueAction(view);
  if (item === null || item.at > now) return { do: 'nothing', due: item?.at ?? null };
  const decision = take(item, { state, view, terms, now, holdingOf }, canPay);
  if (decision.do === 'nothing') return decision;
  const { plan } = terms.for(subscribedOf(decision.state));
  return { ...decision, state: withDerivedFields(decision.state, plan) };
}

/** Nothing of the payment was given back by a person. */
function wholePayment(): Holding {
  return { free: Infinity, disputed: 0 };
}

/** The inputs of a decision, with the dates of the state. */
interface DecidingContext extends DecisionContext {
  readonly view: View;
}

function take(item: DueAction, context: DecidingContext, canPay: boolean): Decision {
  const { terms } = context;
  switch (item.do) {
    case 'settle':
      return settle({ ...context, state: item.state }, item.at);
    case 'change':
      return change({
        state: scheduledChanged(item.state, terms, item.change, item.at),
        event: 'subscription.updated',
      });
    case 'setup':
      return chargeSetup(context);
    case 'debt':
      return chargeDebts(context);
    case 'drop':
    case 'replace':
    case 'cut_off':
    case 'expire':
    case 'retry':
      return decideOpenPayment(item.do, context, item.open);
    case 'end_quote':
      return endQuote(context, item);
    case 'activate':
      return change(activated(item.state, item.at));
    case 'resume':
      return change(withScheduled(resumed(item.state, item.at, 'resume_at', false), terms, item.at));
    case 'trial_end':
      return change(trialEnded(item.state, terms, canPay, item.at));
    case 'service_end':
      return change({ state: { ...item.state, active: false }, event: 'subscription.updated' });
    case 'finish':
      return change(finished(item.state));
  }
}

type Ending = Extract<DueAction, { readonly do: 'end_quote' }>;

function decideOpenPayment(action: OpenPaymentAction, context: DecidingContext, open: OpenPayment): Decision {
  const { state, terms } = context;
  switch (action) {
    case 'retry':
      return retryOrStop(context, open);
    case 'cut_off':
      return abandon(context, open, 'payment.superseded', failedBy(context, open));
    case 'expire':
      return abandon(context, open, 'payment.not_authenticated', failedForGood(state, terms.plan, open));
    case 'drop': {
      const dropped = withReceivable(state, {
        open_payments: withoutOpen(state.receivable.open_payments, open),
      });
      return abandon(context, open, 'payment.not_owed', { state: dropped, event: null });
    }
    case 'replace':
      return abandon(context, open, 'payment.replaced', replaced(context, open));
  }
}

/** The quote was not paid in time: nothing has changed. What its payment still collects is given back. */
function endQuote(context: DecidingContext, { state, open, isCut }: Ending): Decision {
  const event = 'subscription.updated';
  if (open.state === 'PROCESSING') return change({ state: withoutQuote(state), event });
  const code = isCut ? 'payment.superseded' : 'payment.not_authenticated';
  return abandon(context, open, code, { state: withoutQuoteAndPayment(state), event });
}

/** A new payment method will collect the amount of this payment. */
function replaced({ state, now }: DecidingContext, open: OpenPayment): Transition {
  const { collect_debt } = state.receivable;
  const counts = open.counts || (collect_debt?.counts ?? false);
  const collects = { collect_debt: { at: collect_debt?.at ?? now, counts } };
  return { state: withReceivable(owing(state, open), collects), event: 'subscription.updated' };
}

function retryOrStop(context: DecidingContext, open: OpenPayment): Decision {
  const { state, now, view } = context;
  const { deadline } = view;
  if (deadline !== null && deadline <= now) {
    return abandon(context, open, 'payment.superseded', failedBy(context, open));
  }
  const open_payments = withOpen(state.receivable.open_payments, inFlight(open, open.attempts + 1));
  return { do: 'retry', payment: keyOf(open), state: withReceivable(state, { open_payments }), event: null };
}

/** A setup fee that makes way for the first period is not a failed period: it is charged along with the period. */
function failedBy({ state, terms }: DecidingContext, open: OpenPayment): Transition {
  return open.kind === 'setup'
    ? { state: owing(state, open), event: 'subscription.updated' }
    : failedForGood(state, terms.plan, open);
}

function abandon(
  context: DecidingContext,
  open: OpenPayment,
  code: string,
  transition: Transition,
): Decision {
  const { terms, now } = context;
  return { do: 'abandon', payment: keyOf(open), code, ...finishedIfDue(transition, terms.plan, now) };
}

function trialEnded(state: RunningState | EndingState, terms: Terms, canPay: boolean, at: Date): Transition {
  if (!canPay && state.status === 'ACTIVE') return paused(state, at, 'trial_end', null);
  if (!canPay) return cancelled(state, 'trial_end', 'payment_method_missing');
  const begins = withFirstPeriod({ ...state, in_trial: false }, at);
  return { state: withProration(begins, terms, at), event: 'subscription.updated' };
}

function change(transition: Transition): Decision {
  return { do: 'change', ...transition };
}

function keyOf({ kind, period_key }: OpenPayment): PaymentKey {
  return { kind, period_key };
}
