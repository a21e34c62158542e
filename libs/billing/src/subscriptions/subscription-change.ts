import type { Instants } from '@commerce/identity';
import { isSame, joinFields, type EventKind } from '@commerce/kernel';
import type { Caller, UnitOfWork } from '@commerce/data';
import type { Id } from '@commerce/records';

import type { Settled } from '../domain/cycle/decision.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import {
  requireOwnDecision,
  settersAfter,
  type Asked,
  type Decider,
  type Decisions,
} from '../domain/lifecycle/decided-by.js';
import { recurringAfter } from '../domain/revenue/recurring.js';
import { changesOf, noteState, termOf } from '../subscription-record/subscription-state.adapter.js';
import { awaitingAmount } from '../subscription-record/stored-amounts.js';
import { couponRedemption, type CouponRedemption } from '../subscription-record/coupon-redemption.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import type { SubscriptionStore } from '../subscription-record/subscription.store.js';
import type { Trial } from '../subscription-record/trial-keys.js';
import type { Remainder } from '../customers/remainders.js';

/** Changes of a record and their event; null for `subscription.updated`, if the change is visible. */
export interface RecordChange {
  readonly changes: Partial<SubscriptionRecord>;
  readonly event: EventKind | null;
  /** Who asked for it; the service unless given. */
  readonly by?: Decider;
  /** Id of the coupon that a payment has redeemed. */
  readonly redeems?: string | null;
  /** The state whose fields the changes are; absent where they are of no transition. */
  readonly state?: SubscriptionState;
  /** The trial of a user that begins; null or absent for none. */
  readonly trial?: Trial | null;
  /** The debts of subscriptions that have ended which this one collects. */
  readonly takesOver?: readonly Remainder[];
}

/** The change that writes a transition: the whole state. */
export function changeBy({
  state,
  event,
  redeems = null,
}: Transition & Partial<Pick<Settled, 'redeems'>>): RecordChange {
  return { changes: changesOf(state), event, state, redeems };
}

/**
 * The date at which a sweep must read a subscription with this due date; null for never. In real time that is the due
 * date; on a test clock a date already reached is due immediately, and advancing the clock finds later ones.
 */
export function wakeAt(due: Date | null, testClock: Id | null, { business, real }: Instants): Date | null {
  if (due === null || testClock === null) return due;
  return due <= business ? real : null;
}

/** A change as committed, and the redemptions of coupons that follow from it. */
export interface CommittedChange {
  readonly changes: Partial<SubscriptionRecord>;
  readonly event: EventKind;
  readonly redemption: CouponRedemption | null;
  readonly trial: Trial | null;
}

/** The change as committed: only the fields that differ from the record, with the date for the sweeps. */
export function committed(
  before: SubscriptionRecord,
  { changes, event, redeems = null, by = 'SERVICE', trial = null }: RecordChange,
  instants: Instants,
): CommittedChange {
  const redemption = couponRedemption(before, changes, redeems);
  const due = changes.due === undefined ? before.due : changes.due;
  const held = changes.held === undefined ? before.held : changes.held;
  const wake_at = held === null ? wakeAt(due, before.test_clock, instants) : null;
  const { open_payments = before.open_payments } = changes;
  const awaiting_amount = awaitingAmount({ open_payments, currency: before.currency });
  const counted = countedAfter(before, changes, instants.business);
  const setters = settersAfter(decisionsOf(before), decisionsOf(before, changes), by);
  const trial_plan = trialPlanAfter(before, changes);
  const noted = { ...redemption?.changes, ...counted, ...setters, wake_at, awaiting_amount, trial_plan };
  const all = joinFields({ failures: 0 }, changes, noted);
  return { changes: differing(before, all), event: event ?? 'subscription.updated', redemption, trial };
}

/** What somebody decided about a subscription, and who. */
function decisionsOf(before: SubscriptionRecord, changes: Partial<SubscriptionRecord> = {}): Decisions {
  const {
    infinite = before.infinite,
    ending_date = before.ending_date,
    interval_total = before.interval_total,
    status = before.status,
    paused_at = before.paused_at,
    pending_change = before.pending_change,
    term_before_stop = before.term_before_stop,
  } = changes;
  const { ending_set_by, paused_by, term_set_by, withdrew_change } = before;
  const term = termOf({ infinite, ending_date, interval_total });
  const setters = { ending_set_by, paused_by, term_set_by, withdrew_change };
  return { term, status, paused_at, pending_change, term_before_stop, ...setters };
}

/** @throws Fault `subscription.set_by_company` where a user undoes what the company decided */
export function requireOwn({ role }: Pick<Caller, 'role'>, before: SubscriptionRecord, asked: Asked): void {
  if (role !== 'admin') requireOwnDecision(decisionsOf(before), asked);
}

/** Who asks for a change. */
export function deciderOf({ role }: Pick<Caller, 'role'>): Decider {
  return role === 'admin' ? 'ADMIN' : 'USER';
}

/** The fields by which debts and recurring revenue are counted. */
function countedAfter(
  before: SubscriptionRecord,
  changes: Partial<SubscriptionRecord>,
  at: Date,
): Pick<SubscriptionRecord, 'owing_since' | 'recurring' | 'recurred_until'> {
  const {
    collection_state = before.collection_state,
    plan = before.plan,
    quantity = before.quantity,
    discount_terms = before.discount_terms,
    active = before.active,
    in_trial = before.in_trial,
  } = changes;
  const recurring = recurringAfter(before, { plan, quantity, discount_terms, active, in_trial }, at);
  const last = recurring.at(-1);
  return {
    owing_since: collection_state === 'OK' ? null : (before.owing_since ?? at),
    recurring,
    recurred_until: last?.terms === null ? last.from : null,
  };
}

/** The plan whose trial the subscription began with; null again where its start was cancelled, or not paid. */
function trialPlanAfter(before: SubscriptionRecord, changes: Partial<SubscriptionRecord>): Id | null {
  const { status, trial_ending_date, plan, quote } = { ...before, ...changes };
  const isUnpaid = before.quote?.of === 'start' && quote === null && status !== 'ACTIVE';
  if (isUnpaid || (before.status === 'FUTURE' && status === 'CANCELLED')) return null;
  const isQuoted = quote?.of === 'start' && quote.trial_days > 0;
  return before.trial_plan ?? (trial_ending_date !== null || isQuoted ? plan : null);
}

function differing(
  before: SubscriptionRecord,
  changes: Partial<SubscriptionRecord>,
): Partial<SubscriptionRecord> {
  const result: Partial<Record<keyof SubscriptionRecord, unknown>> = {};
  for (const name of Object.keys(changes) as (keyof SubscriptionRecord)[]) {
    if (!isSame(changes[name], before[name])) result[name] = changes[name];
  }
  return result as Partial<SubscriptionRecord>;
}

/**
 * Adds changes to a unit of work in order, and returns the subscription as it will be. Changes without an event of
 * their own are written as one.
 */
export function writeChange(
  work: UnitOfWork,
  store: SubscriptionStore,
  before: SubscriptionRecord,
  instants: Instants,
  ...all: readonly RecordChange[]
): SubscriptionRecord {
  for (const change of all) addRemainders(work, store, change, instants);
  const after = joined(all).reduce((subscription, change) => {
    const { changes, event, redemption, trial } = committed(subscription, change, instants);
    store.trial(work, subscription, changes, trial);
    if (redemption !== null) store.redeem(work, subscription, redemption, instants.real);
    return work.update(store, subscription, changes, event);
  }, before);
  const state = all.at(-1)?.state;
  if (state !== undefined) noteState(after, state);
  return after;
}

/** Adds to a unit of work that the debts which a change takes over are owed for no other subscription any more. */
function addRemainders(
  work: UnitOfWork,
  store: SubscriptionStore,
  { takesOver = [] }: RecordChange,
  instants: Instants,
): void {
  for (const { before, without: state } of takesOver) {
    const { changes, event } = committed(
      before,
      changeBy({ state, event: 'subscription.updated' }),
      instants,
    );
    work.update(store, before, changes, event);
  }
}

/** Joins changes as far as their events allow: a plain update joins its neighbour. */
function joined(all: readonly RecordChange[]): RecordChange[] {
  const result: RecordChange[] = [];
  for (const one of all) {
    const last = result.at(-1);
    if (last === undefined || (isNamed(last.event) && isNamed(one.event))) {
      result.push(one);
    } else {
      const event = isNamed(one.event) ? one.event : last.event;
      const redeems = last.redeems ?? one.redeems ?? null;
      const { by = one.by } = last;
      const trial = last.trial ?? one.trial ?? null;
      const changes = joinFields(last.changes, one.changes);
      result[result.length - 1] = { changes, event, redeems, trial, ...(by === undefined ? {} : { by }) };
    }
  }
  return result;
}

function isNamed(event: EventKind | null): boolean {
  return event !== null && event !== 'subscription.updated';
}
