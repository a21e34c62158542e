import { inFlight, type OpenPayment, type PaymentKey } from '../ledger/open-payment.js';
import { cancelled, failedForGood, owing } from '../lifecycle/ending.js';
import { paused, resumed } from '../lifecycle/pausing.js';
import { activated } from '../lifecycle/starting.js';
import { withProration } from '../lifecycle/stopping.js';
import {
  withLedger,
  type EndingState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Terms } from '../pricing/terms.js';
import { cutOffDate, nextItem, type AgendaItem, type OpenPaymentAction } from './agenda.js';
import { chargeDebts, chargeSetup, chargeSlice, settleSlice, type Moment } from './charges.js';
import type { Decision } from './decision.js';
import { finish, finishedIfDue } from './finish.js';
import { withOutlook } from './outlook.js';

/**
 * What billing has to do at `now`: the thing that is due longest, or nothing and when to ask again. To be called again
 * after each commit. `canPay`: the subscription has a usable payment method; it matters while `in_trial` only.
 * Faults: those of terms.price().
 */
export function decideCycle(state: SubscriptionState, terms: Terms, canPay: boolean, now: Date): Decision {
  const item = nextItem(state, terms.plan);
  if (item === null || item.at > now) return { do: 'nothing', due: item?.at ?? null };
  const decision = take(item, { state, terms, now }, canPay);
  if (decision.do === 'nothing') return decision;
  return { ...decision, state: withOutlook(decision.state, terms.plan) };
}

function take(item: AgendaItem, moment: Moment, canPay: boolean): Decision {
  const { terms } = moment;
  switch (item.do) {
    case 'slice':
      return chargeSlice({ ...moment, state: item.state }, item.slice);
    case 'settle':
      return settleSlice({ ...moment, state: item.state }, item.slice);
    case 'setup':
      return chargeSetup(moment);
    case 'debt':
      return chargeDebts(moment);
    case 'drop':
    case 'replace':
    case 'cut_off':
    case 'expire':
    case 'retry':
      return takeOpen(item.do, moment, item.open);
    case 'activate':
      return change(activated(item.state, item.at));
    case 'resume':
      return change(resumed(item.state, item.at, 'resume_at', false));
    case 'trial_end':
      return change(trialEnded(item.state, terms, canPay, item.at));
    case 'service_end':
      return change({ state: { ...item.state, active: false }, event: 'subscription.updated' });
    case 'finish':
      return finish(item.state, terms);
  }
}

function takeOpen(action: OpenPaymentAction, moment: Moment, open: OpenPayment): Decision {
  const { state, terms } = moment;
  switch (action) {
    case 'retry':
      return retryOrCutOff(moment, open);
    case 'cut_off':
      return abandon(moment, open, 'payment.superseded', failedBy(moment, open));
    case 'expire':
      return abandon(moment, open, 'payment.not_authenticated', failedForGood(state, terms.plan, open));
    case 'drop': {
      const dropped = withLedger(state, { open_payment: null });
      return abandon(moment, open, 'payment.not_owed', { state: dropped, event: null });
    }
    case 'replace':
      return abandon(moment, open, 'payment.replaced', replaced(moment, open));
  }
}

/** A new payment method will collect what this payment was for. */
function replaced({ state, now }: Moment, open: OpenPayment): Transition {
  const { collect_debt } = state.ledger;
  const counts = open.counts || (collect_debt?.counts ?? false);
  const collects = { collect_debt: { at: collect_debt?.at ?? now, counts } };
  return { state: withLedger(owing(state, open), collects), event: 'subscription.updated' };
}

function retryOrCutOff(moment: Moment, open: OpenPayment): Decision {
  const { state, terms, now } = moment;
  const cutOff = cutOffDate(state, terms.plan, open);
  if (cutOff !== null && cutOff <= now) {
    return abandon(moment, open, 'payment.superseded', failedBy(moment, open));
  }
  const open_payment = inFlight(open, open.attempts + 1);
  return { do: 'retry', payment: keyOf(open), state: withLedger(state, { open_payment }), event: null };
}

/** A setup fee that makes way for the first slice is no failed period: it is charged along with the slice. */
function failedBy({ state, terms }: Moment, open: OpenPayment): Transition {
  return open.kind === 'setup'
    ? { state: owing(state, open), event: 'subscription.updated' }
    : failedForGood(state, terms.plan, open);
}

function abandon(moment: Moment, open: OpenPayment, code: string, transition: Transition): Decision {
  const { terms, now } = moment;
  return { do: 'abandon', payment: keyOf(open), code, ...finishedIfDue(transition, terms.plan, now) };
}

function trialEnded(state: RunningState | EndingState, terms: Terms, canPay: boolean, at: Date): Transition {
  if (!canPay && state.status === 'ACTIVE') return paused(state, at, 'trial_end', null);
  if (!canPay) return cancelled(state, 'trial_end', 'payment_method_missing');
  const after = { ...state, in_trial: false };
  const { slice } = after.ledger;
  const begun = slice === null ? after : withProration(after, terms, slice, at);
  return { state: begun, event: 'subscription.updated' };
}

function change(transition: Transition): Decision {
  return { do: 'change', ...transition };
}

function keyOf({ kind, slice }: OpenPayment): PaymentKey {
  return { kind, slice };
}
