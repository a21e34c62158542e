import { fieldFault, TRY_AGAIN_SOON } from '@commerce/kernel';

import type { Charge } from '../cycle/decision.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { changed, changesTerms, withDiscount, type NewTerms } from '../lifecycle/changing.js';
import { exchanged } from '../lifecycle/exchanging.js';
import { allowedActions, stateConflict } from '../lifecycle/lifecycle.js';
import { isQuoted } from '../lifecycle/quoted-state.js';
import type { PendingChange } from '../lifecycle/pending-change.js';
import {
  boundsOf,
  hasStarted,
  lineOf,
  subscribedOf,
  withReceivable,
  type PausedState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import { discounted } from '../pricing/discount.js';
import { endsOf, periodHolding, runningPeriod } from '../lines/line.js';
import { nextSettlementOf, requireFewSpans } from '../lifecycle/periods.js';
import type { Subscribed, Terms } from '../pricing/terms.js';
import type { HoldingOf } from '../lines/credit.js';
import { hasReachedEnd, withoutQuoteNow, withoutPending } from './actions.js';
import { chargeOf, quotedBy, requireNoOpenPayment, type Charging } from './quote.js';

export interface PlanChangeInput extends NewTerms {
  /** The company charges no setup fee: none of a later plan either. */
  readonly waives_setup?: boolean;
  /** A date, the end of the running period, or now. */
  readonly at: Date | 'now' | 'period_end';
  /** `first`: a change that costs something takes effect once that is paid. `later`: at once. */
  readonly collect: 'first' | 'later';
  /** The lowest amount that the card provider charges, in minor units: less is carried into the next charge. */
  readonly minimum_minor: number;
}

/** A change that took effect or is scheduled; with `charge`, one that takes effect once that is paid. */
export interface PlanChange extends Transition {
  readonly charge: Charge | null;
}

/**
 * Changes plan and quantity now, or schedules that.
 * @throws Fault `subscription.state_conflict`; `payment.open`; `subscription.changed_too_often`; `value.invalid` naming
 * `at`
 */
export function changePlan(
  state: SubscriptionState,
  terms: Terms,
  input: PlanChangeInput,
  holdingOf: HoldingOf,
  now: Date,
): PlanChange {
  const open = changeable(state, now);
  const before = input.waives_setup === true ? withReceivable(open, SETUP_WAIVED) : open;
  if (!sameCurrency(terms, input.subscribed)) throw differentCurrency();
  const at = dateOf(before, input.at, now);
  switch (before.status) {
    case 'PAUSED': {
      const pending_change = scheduled(input, at);
      return reported({ ...before, pending_change }, terms);
    }
    case 'CREATED':
    case 'FUTURE': {
      if (at !== null) throw fieldFault('at', 'at must be left out before the subscription has started');
      const to = withDiscount(input, subscribedOf(before), null, 0);
      return reported(exchanged(before, to, terms.for(to), { set_by: input.set_by, at: now }), terms);
    }
    case 'ACTIVE': {
      if (at !== null) return reported({ ...before, pending_change: scheduled(input, at) }, terms);
      return changeNow(before, terms, input, holdingOf, now);
    }
  }
}

/**
 * Withdraws a change that is still to come.
 * @throws Fault `subscription.state_conflict` where there is none
 */
export function withdrawChange(state: SubscriptionState, { plan }: Terms, now: Date): Transition {
  const isScheduled = 'pending_change' in state && state.pending_change !== null;
  if (!isScheduled && !(state.status === 'ACTIVE' && isQuoted(state))) {
    throw stateConflict(state, 'No change is to come', allowedActions(state, now));
  }
  return { state: withDerivedFields(withoutPending(state, now), plan), event: 'subscription.updated' };
}

function changeNow(
  before: RunningState,
  terms: Terms,
  input: PlanChangeInput,
  holdingOf: HoldingOf,
  now: Date,
): PlanChange {
  if (!changesTerms(lineOf(before).subscribed, input))
    return reported({ ...before, pending_change: null }, terms);
  requireCurrentPeriod(before, now);
  requireFewSpans(before);
  const after = reported(changed(before, terms, input, now), terms);
  if (input.collect === 'later') return after;
  const charging = chargeOf(after.state, terms, holdingOf, now);
  if (charging === null || charging.charge.amount_minor < input.minimum_minor) return after;
  requireNoOpenPayment(before, terms.plan, 'change');
  requireSettled(before, now);
  return awaiting(before, terms, input, charging, now);
}

/** What is due already must be charged by itself: the payment of a change is for the change. */
function requireSettled(before: RunningState, now: Date): void {
  const due = nextSettlementOf(before);
  if (due === null || due > now) return;
  const message = 'Another payment of the subscription is being collected; try again';
  throw stateConflict(before, message, allowedActions(before, now), TRY_AGAIN_SOON);
}

/** The change waits for its payment, which alone is opened now. */
function awaiting(
  before: RunningState,
  terms: Terms,
  { subscribed, credit, discount, set_by = 'ADMIN' }: PlanChangeInput,
  decision: Charging,
  now: Date,
): PlanChange {
  const { quote, charge, open_payments, quotes } = quotedBy(before, 'change', decision, now);
  const change = { of: 'change', set_by, subscribed, credit, ...discounted(discount), ...quote } as const;
  const state = withReceivable({ ...before, quote: change }, { open_payments, quotes });
  return { state: withDerivedFields(state, terms.plan), event: 'subscription.updated', charge };
}

const SETUP_WAIVED = { setup_due: null, setup_charged: true };

type Changeable =
  | Extract<SubscriptionState, { readonly status: 'CREATED' | 'FUTURE' }>
  | RunningState
  | PausedState;

/** The state without a quote, which another change ends. A scheduled change stays until this one takes its place. */
function changeable(state: SubscriptionState, now: Date): Changeable {
  const after = withoutQuoteNow(state, now);
  const isOpen =
    after.status === 'CREATED' ||
    after.status === 'FUTURE' ||
    after.status === 'PAUSED' ||
    (after.status === 'ACTIVE' && after.active && !hasReachedEnd(after, now));
  if (isOpen) return after;
  const message = `The plan of a subscription that is ${state.status} cannot change`;
  throw stateConflict(state, message, allowedActions(state, now));
}

/** Null for a change that takes effect now. */
function dateOf(state: Changeable, at: PlanChangeInput['at'], now: Date): Date | null {
  if (at === 'now') return null;
  const date = at === 'period_end' ? periodEnd(state) : at;
  if (date === null) throw fieldFault('at', 'at cannot be period_end while no period runs');
  if (date <= now) throw fieldFault('at', 'at must be in the future');
  const end = hasStarted(state) ? lineOf(state).schedule.end : null;
  if (end !== null && date >= end) throw fieldFault('at', 'at must be before the end of the subscription');
  return date;
}

function periodEnd(state: Changeable): Date | null {
  if (state.status !== 'ACTIVE') return null;
  const { trial_ending_date } = lineOf(state).schedule.facts;
  if (state.in_trial) return trial_ending_date;
  const line = lineOf(state);
  const running = runningPeriod(line);
  return running && endsOf(line, boundsOf(state), running).settled;
}

function scheduled(
  { subscribed, credit, discount, set_by = 'ADMIN' }: PlanChangeInput,
  at: Date | null,
): PendingChange {
  return { set_by, subscribed, credit, at, ...discounted(discount) };
}

/**
 * A change divides the period that runs now, so earlier ones must have been charged, and the setup fee: otherwise that of
 * the new plan would be.
 */
function requireCurrentPeriod(state: RunningState, now: Date): void {
  if (state.in_trial) return;
  const line = lineOf(state);
  const begins = line.schedule.period(line.next_period).start.getTime() === now.getTime();
  const isCurrent = periodHolding(line, now) !== null || begins;
  const { setup_due } = state.receivable;
  if (isCurrent && (setup_due === null || setup_due > now)) return;
  const message = 'Earlier periods are still being charged; try again';
  throw stateConflict(state, message, allowedActions(state, now), TRY_AGAIN_SOON);
}

function sameCurrency(terms: Terms, subscribed: Subscribed): boolean {
  return terms.for(subscribed).plan.currency === terms.plan.currency;
}

function differentCurrency(): Error {
  return fieldFault('plan', 'plan must have the currency of the subscription', 'plan.currency_differs');
}

function reported(state: SubscriptionState, terms: Terms): PlanChange {
  const { plan } = terms.for(subscribedOf(state));
  return { state: withDerivedFields(state, plan), event: 'subscription.updated', charge: null };
}
