import { cutOffDate, nextStep, type Step } from './cycle-agenda.js';
import { billSlice } from './cycle-amounts.js';
import {
  chargeDebts,
  chargeSetup,
  chargeSlice,
  settleSlice,
  withoutCredit,
  type Moment,
} from './cycle-charges.js';
import { applied, withDerived } from './cycle-derived.js';
import { finished, finishIfDue, owesRefund } from './cycle-finish.js';
import type { Decision, Transition } from './decision.js';
import { edgeEvent } from '../lifecycle/lifecycle.js';
import { paused, resumed } from '../lifecycle/pausing.js';
import { giveBack } from '../ledger/refunding.js';
import { becomesDebt, failForGood } from '../ledger/retry.js';
import type { OpenPayment, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { Terms } from '../lifecycle/subscription-terms.js';

/**
 * What billing has to do at `now`: the oldest thing that is due, or nothing and when to ask again. To be asked
 * again after each commit. `canPay`: the subscription has a usable payment method (asked only while `in_trial`).
 * Faults: those of terms.price().
 */
export function decideCycle(state: SubscriptionState, terms: Terms, canPay: boolean, now: Date): Decision {
  const step = nextStep(state, terms.plan);
  if (step === null || step.at > now) return { do: 'nothing', due: step?.at ?? null };
  const decision = take(step, { state, terms, now }, canPay);
  if (decision.do === 'nothing') return decision;
  return { ...decision, changes: withDerived(state, decision.changes, terms.plan) };
}

function take(step: Step, moment: Moment, canPay: boolean): Decision {
  const { state, terms } = moment;
  switch (step.do) {
    case 'slice':
      return chargeSlice(moment, step.slice);
    case 'settle':
      return settleSlice(moment, step.slice);
    case 'setup':
      return chargeSetup(moment);
    case 'debt':
      return chargeDebts(moment);
    case 'drop':
    case 'replace':
    case 'cut_off':
    case 'expire':
    case 'retry':
      return takeOpen(step.do, moment);
    case 'activate':
      return change(activated(state, step.at));
    case 'resume':
      return change(resumed(state, terms.plan, step.at, 'resume_at', false));
    case 'trial_end':
      return change(trialEnded(state, terms, canPay, step.at));
    case 'service_end':
      return { do: 'change', changes: { active: false }, event: 'subscription.updated' };
    case 'finish':
      return finish(moment);
  }
}

function takeOpen(step: 'drop' | 'replace' | 'cut_off' | 'expire' | 'retry', moment: Moment): Decision {
  const { state, terms, now } = moment;
  const open = state.open_payment;
  if (open === null) throw new RangeError('There is no open payment');
  switch (step) {
    case 'retry':
      return retryOrCutOff(moment, open);
    case 'cut_off':
      return abandon(moment, open, 'payment.superseded', failedBy(moment, open));
    case 'expire':
      return abandon(moment, open, 'payment.not_authenticated', failForGood(state, terms.plan, open));
    case 'drop':
      return abandon(moment, open, 'payment.not_owed', { changes: { open_payment: null }, event: null });
    case 'replace': {
      const counts = open.counts || (state.collect_debt?.counts ?? false);
      const changes = {
        ...becomesDebt(state, open),
        collect_debt: { at: state.collect_debt?.at ?? now, counts },
      };
      return abandon(moment, open, 'payment.replaced', { changes, event: 'subscription.updated' });
    }
  }
}

function retryOrCutOff(moment: Moment, open: OpenPayment): Decision {
  const { state, terms, now } = moment;
  const cutOff = cutOffDate(state, terms.plan, open);
  if (cutOff !== null && cutOff <= now) {
    return abandon(moment, open, 'payment.superseded', failedBy(moment, open));
  }
  const open_payment: OpenPayment = {
    ...open,
    state: 'IN_FLIGHT',
    attempts: open.attempts + 1,
    retry_at: null,
  };
  return { do: 'retry', payment: keyOf(open), changes: { open_payment }, event: null };
}

/** A setup fee that makes way for the first slice is no failed period: the slice takes it along. */
function failedBy({ state, terms }: Moment, open: OpenPayment): Transition {
  return open.kind === 'setup'
    ? { changes: becomesDebt(state, open), event: 'subscription.updated' }
    : failForGood(state, terms.plan, open);
}

function abandon(moment: Moment, open: OpenPayment, code: string, transition: Transition): Decision {
  const { state, terms, now } = moment;
  const end = finishIfDue(applied(state, transition.changes), terms.plan, now);
  const changes = { ...transition.changes, ...end.changes };
  return { do: 'abandon', payment: keyOf(open), code, changes, event: end.event ?? transition.event };
}

function activated(state: SubscriptionState, at: Date): Transition {
  const in_trial = state.trial_ending_date !== null && at < state.trial_ending_date;
  return {
    changes: { status: 'ACTIVE', active: true, in_trial },
    event: edgeEvent(state.status, 'starting_date', 'ACTIVE'),
  };
}

function trialEnded(state: SubscriptionState, terms: Terms, canPay: boolean, at: Date): Transition {
  if (canPay) return { changes: { in_trial: false }, event: 'subscription.updated' };
  return paused(state, terms.plan, at, 'trial_end', null);
}

/** The end of a subscription; after a stop of prepay with the money for the days that were left. */
function finish({ state, terms }: Moment): Decision {
  const { slice } = state;
  if (slice === null || !owesRefund(state, terms.plan)) return change(finished(state, {}));
  const bill = withoutCredit(billSlice(state, terms, slice, slice.cuts.length), slice, state.currency);
  if (bill.amount_minor >= 0) return change(finished(state, { slice: bill.slice }));
  const back = giveBack(state, bill, slice, 'stop');
  const changes = { ...back.changes, slice: back.slice };
  const end: Transition = back.settled
    ? finished(state, changes)
    : { changes, event: 'subscription.updated' };
  return back.refund === null ? change(end) : { do: 'refund', refund: back.refund, ...end };
}

function change({ changes, event }: Transition): Decision {
  return { do: 'change', changes, event };
}

function keyOf({ kind, slice }: OpenPayment): { kind: OpenPayment['kind']; slice: string } {
  return { kind, slice };
}
