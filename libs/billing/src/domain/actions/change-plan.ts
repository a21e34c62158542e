import { fault, fieldFault, TRY_AGAIN_SOON } from '@commerce/kernel';

import { decideCycle } from '../cycle/cycle.js';
import type { Charge, Decision } from '../cycle/decision.js';
import { withDerivedFields } from '../cycle/derived-fields.js';
import { owing } from '../lifecycle/ending.js';
import { changed, changesTerms, withDiscount, type NewTerms } from '../lifecycle/changing.js';
import { exchanged } from '../lifecycle/exchanging.js';
import { allowedActions, stateConflict } from '../lifecycle/lifecycle.js';
import type { AwaitedChange, ScheduledChange } from '../lifecycle/pending-change.js';
import {
  withReceivable,
  type PausedState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Transition } from '../lifecycle/transition.js';
import { discounted } from '../pricing/discount.js';
import {
  endsOf,
  nextSettlement,
  periodHolding,
  requireFewSpans,
  runningPeriod,
} from '../lifecycle/periods.js';
import { quoted } from '../lines/billing-period.js';
import type { Subscribed, Terms } from '../pricing/terms.js';
import type { HoldingOf } from '../lines/credit.js';
import { hasPeriods } from '../receivable/receivable.js';
import { hasReachedEnd, withoutPending } from './actions.js';

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

type Opened = Extract<Decision, { readonly do: 'charge' }>;

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
      const to = withDiscount(input, before.subscribed, null, 0);
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
  if (!('pending_change' in state) || state.pending_change === null) {
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
  if (!changesTerms(before.subscribed, input)) return reported(before, terms);
  requireCurrentPeriod(before, now);
  requireFewSpans(before);
  const after = reported(changed(before, terms, input, now), terms);
  if (input.collect === 'later') return after;
  const { open_payment: open } = before.receivable;
  // What the change costs does not depend on another payment, which makes way; whether it can be asked for does.
  const alone = open === null ? after.state : owing(after.state, open);
  const decision = chargeOf(alone, terms.for(alone.subscribed), holdingOf, now);
  if (decision === null || decision.charge.amount_minor < input.minimum_minor) return after;
  if (open !== null) throw openPayment();
  requireSettled(before, terms, now);
  return awaiting(before, terms, input, decision, now);
}

/** The charge that a change comes to: its difference, or a setup fee above what is given back; null for none. */
function chargeOf(state: SubscriptionState, terms: Terms, holdingOf: HoldingOf, now: Date): Opened | null {
  const decision = decideCycle(state, terms, true, now, holdingOf);
  if (decision.do === 'charge') return decision;
  if (decision.do !== 'change' && decision.do !== 'refund') return null;
  const given = decision.do === 'change' ? [] : decision.refunds.map(({ amount_minor }) => amount_minor);
  const next = decideCycle(decision.state, terms, true, now, holdingOf);
  const isFee = next.do === 'charge' && next.charge.kind === 'setup';
  return isFee && next.charge.amount_minor > given.reduce((sum, one) => sum + one, 0) ? next : null;
}

/** What is due already must be charged by itself: the payment of a change is for the change. */
function requireSettled(before: RunningState, { plan }: Terms, now: Date): void {
  const due = nextSettlement(before, plan);
  if (due === null || due > now) return;
  const message = 'Another payment of the subscription is being collected; try again';
  throw stateConflict(before, message, allowedActions(before, now), TRY_AGAIN_SOON);
}

/** A change that costs something is not done unpaid while another payment stands in its way. */
function openPayment(): Error {
  return fault('payment.open', 'The change costs something, and another payment of the subscription is open');
}

/** The change waits for its payment, which alone is opened now. */
function awaiting(
  before: RunningState,
  terms: Terms,
  { subscribed, credit, discount, set_by = 'ADMIN' }: PlanChangeInput,
  { state: paid, charge }: { readonly state: SubscriptionState; readonly charge: Charge },
  now: Date,
): PlanChange {
  const { open_payment } = paid.receivable;
  if (open_payment === null) throw new RangeError('The charge of a change opens no payment');
  const changes = before.receivable.changes + 1;
  const period_key = `change-${String(changes)}`;
  const pending_change: AwaitedChange = {
    state: 'AWAITING_PAYMENT',
    set_by,
    subscribed,
    credit,
    at: now,
    prices: hasPeriods(paid.receivable) ? quoted(paid.receivable.periods) : [],
    ...discounted(discount),
  };
  const key = { kind: 'proration', period_key } as const;
  const opened = { changes, open_payment: { ...open_payment, ...key } };
  const state = withReceivable({ ...before, pending_change }, opened);
  const event = 'subscription.updated';
  return { state: withDerivedFields(state, terms.plan), event, charge: { ...charge, ...key } };
}

const SETUP_WAIVED = { setup_due: null, setup_charged: true };

type Changeable =
  | Extract<SubscriptionState, { readonly status: 'CREATED' | 'FUTURE' }>
  | RunningState
  | PausedState;

/** The state without a pending change, which a new one replaces. */
function changeable(state: SubscriptionState, now: Date): Changeable {
  const after = withoutPending(state, now);
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
  const end = 'schedule' in state ? state.schedule.end : null;
  if (end !== null && date >= end) throw fieldFault('at', 'at must be before the end of the subscription');
  return date;
}

function periodEnd(state: Changeable): Date | null {
  if (state.status !== 'ACTIVE') return null;
  const { trial_ending_date } = state.schedule.facts;
  if (state.in_trial) return trial_ending_date;
  const running = runningPeriod(state);
  return running && endsOf(state, running).settled;
}

function scheduled(
  { subscribed, credit, discount, set_by = 'ADMIN' }: PlanChangeInput,
  at: Date | null,
): ScheduledChange {
  return { state: 'SCHEDULED', set_by, subscribed, credit, at, ...discounted(discount) };
}

/**
 * A change divides the period that runs now, so earlier ones must have been charged, and the setup fee: otherwise that of
 * the new plan would be.
 */
function requireCurrentPeriod(state: RunningState, now: Date): void {
  if (state.in_trial) return;
  const { schedule, receivable } = state;
  const begins = schedule.period(receivable.next_period).start.getTime() === now.getTime();
  const isCurrent = periodHolding(state, now) !== null || begins;
  const { setup_due } = receivable;
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
  const { plan } = terms.for(state.subscribed);
  return { state: withDerivedFields(state, plan), event: 'subscription.updated', charge: null };
}
