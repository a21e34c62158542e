import { Injectable } from '@nestjs/common';
import type { CustomerSettings } from '@commerce/identity';
import { fieldFault, isFault, fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import { pauseSubscription } from '../domain/actions/actions.js';
import { lookAhead } from '../customers/look-ahead.js';
import type { Ahead } from '../domain/ahead/ahead.js';
import type { AheadInput, PreviewedCharge } from '../domain/ahead/lookahead.js';
import { subscribedOf, type SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { paymentsInBooks } from '../domain/receivable/accounts.js';
import { changesOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { RefundableReader } from '../subscriptions/refundable-reader.js';
import { SubscriberGuard } from '../customers/subscriber-guard.js';
import { requireFirstCharge } from '../customers/first-charge.js';
import { requireEndOfPeriod, stopFor } from '../customers/limits.js';
import { startFor } from '../subscriptions/starting.js';
import { requireOwn } from '../subscriptions/subscription-change.js';
import type { UpcomingChargesQuery } from '../subscriptions/subscription.dto.js';
import { UpcomingChargesReader } from './upcoming-charges-reader.js';

/** The future charges of a subscription, after the action that was asked for. */
export interface UpcomingCharges {
  readonly charges: readonly PreviewedCharge[];
  readonly action: PreviewedAction | null;
}

/** The subscription right after an action, and what follows from it. */
export interface PreviewedAction
  extends
    Pick<SubscriptionRecord, 'status' | 'active' | 'trial_ending_date' | 'ending_date' | 'resume_at'>,
    Omit<Ahead, 'charges'> {}

/** A bound on the charges until the end of a subscription that is stopped at a late date. */
const MOST_CHARGES = 120;

/** Previews the start, stop and pause of a subscription by the code that makes them. */
@Injectable()
export class ActionPreviewReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly guard: SubscriberGuard,
    private readonly upcoming: UpcomingChargesReader,
    private readonly rests: RefundableReader,
  ) {}

  /**
   * The next charges of a subscription visible to the caller, as it is or after an action; none while billing is on hold.
   * @throws Faults of the action
   */
  async preview(caller: Caller, id: string, query: UpcomingChargesQuery): Promise<UpcomingCharges> {
    const { count } = query;
    const asked = actionOf(query);
    const subscription = await this.store.for(caller).get(id);
    const isHeld = subscription.held !== null;
    if (asked === null) {
      return { charges: isHeld ? [] : await this.upcoming.next(subscription, count), action: null };
    }
    const { ahead: own, balance_minor } = await this.upcoming.context(subscription);
    const customers = await this.guard.settingsFor(caller);
    const { user } = subscription;
    const present = { user, state: own.state, terms: own.terms.for(subscribedOf(own.state)) };
    const from = asked.do === 'start' ? await this.guard.startingFor(caller, present) : present;
    const ahead = { ...own, state: from.state, terms: from.terms };
    const state = stateAfter({ caller, customers }, subscription, ahead, asked);
    const isStart = asked.do === 'start' && subscription.status === 'CREATED';
    if (isStart) requireFirstCharge(caller, { ...ahead, state, balance_minor });
    const { status, active, trial_ending_date, ending_date, resume_at } = changesOf(state);
    const canPay = await this.upcoming.canPay({ ...subscription, trial_ending_date }, ahead.now);
    const rests = await this.rests.rests(subscription, paymentsInBooks(state));
    const most = asked.do === 'stop' ? MOST_CHARGES : count;
    const bounds = { count, most: isHeld ? 0 : most };
    const { charges, ...money } = await lookAhead(
      { ...ahead, state, canPay, ...rests, balance_minor },
      bounds,
    );
    return { charges, action: { status, active, trial_ending_date, ending_date, resume_at, ...money } };
  }
}

/** The action of a query; its date is null for one that is taken now. */
type AskedAction =
  | { readonly do: 'start'; readonly date: Date | null; readonly reanchor: boolean }
  | { readonly do: 'stop'; readonly date: Date | null }
  | { readonly do: 'pause'; readonly resume_at: Date | null };

/** @throws Fault `value.invalid` for more than one action, or a parameter of another */
function actionOf({ start, reanchor, stop, pause, resume_at }: UpcomingChargesQuery): AskedAction | null {
  const given = Object.entries({ start, stop, pause }).filter(([, value]) => value !== null);
  const [first, second] = given.map(([name]) => name);
  if (first !== undefined && second !== undefined) {
    throw fieldFault(second, `${second} must not be given with ${first}`);
  }
  if (reanchor && start === null) throw fieldFault('reanchor', 'reanchor is for a start');
  if (resume_at !== null && pause === null) throw fieldFault('resume_at', 'resume_at is for a pause');
  if (start !== null) return { do: 'start', date: start === 'now' ? null : start, reanchor };
  if (stop !== null) return { do: 'stop', date: stop === 'now' ? null : stop };
  return pause === null ? null : { do: 'pause', resume_at };
}

interface Asker {
  readonly caller: Caller;
  readonly customers: CustomerSettings;
}

function stateAfter(
  { caller, customers }: Asker,
  before: SubscriptionRecord,
  { state, terms, now }: AheadInput,
  asked: AskedAction,
): SubscriptionState {
  switch (asked.do) {
    case 'start': {
      const { date: starting_date, reanchor } = asked;
      const input = { starting_date, reanchor, new_payment_method: false };
      requireOwn(caller, before, { action: 'start', term: {} });
      const context = { before, state, terms, now };
      const started = renaming('starting_date', 'start', () => startFor(caller, context, input));
      requireEndOfPeriod(customers, context, started.state);
      return started.state;
    }
    case 'stop': {
      const { date: ending_date } = asked;
      const context = { before, state, terms, now };
      return renaming('ending_date', 'stop', () => stopFor(customers, context, ending_date)).state;
    }
    case 'pause':
      return pauseSubscription(state, terms, { resume_at: asked.resume_at }, now).state;
  }
}

/** Decides an action; its faults name the parameter instead of the field of the action's body. */
function renaming<T>(field: string, parameter: string, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    if (!isFault(error)) throw error;
    const renamed = (text: string): string => text.replace(field, parameter);
    const { errors, ...details } = error.details;
    const named = errors?.map(({ path, code, message }) => ({
      path: path === field ? parameter : path,
      code,
      message: renamed(message),
    }));
    throw fault(error.code, renamed(error.message), { ...details, ...(named && { errors: named }) });
  }
}
