import { Injectable } from '@nestjs/common';
import { fieldFault, isFault, fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import { pauseSubscription, stopSubscription } from '../domain/actions/actions.js';
import { previewAction, type ActionPreview } from '../domain/cycle/action-preview.js';
import type { AheadInput, PreviewedCharge } from '../domain/cycle/lookahead.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import { paymentsToChange } from '../domain/receivable/changed-periods.js';
import { changesOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { RefundableReader } from '../subscriptions/refundable-reader.js';
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
    Pick<SubscriptionRecord, 'status' | 'active' | 'ending_date' | 'resume_at'>,
    Omit<ActionPreview, 'charges'> {}

/** A bound on the charges until the end of a subscription that is stopped at a late date. */
const MOST_CHARGES = 120;

/** Previews the stop and the pause of a subscription by the code that makes them. */
@Injectable()
export class ActionPreviewReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly upcoming: UpcomingChargesReader,
    private readonly rests: RefundableReader,
  ) {}

  /**
   * The next charges of a subscription visible to the caller, as it is or after an action; none while billing is on hold.
   * @throws Faults of the action
   */
  async preview(caller: Caller, id: string, query: UpcomingChargesQuery): Promise<UpcomingCharges> {
    const { count } = query;
    requireOneAction(query);
    const subscription = await this.store.for(caller).get(id);
    const isHeld = subscription.held !== null;
    if (query.stop === null && query.pause === null) {
      return { charges: isHeld ? [] : await this.upcoming.next(subscription, count), action: null };
    }
    const { ahead, balance_minor } = await this.upcoming.context(subscription);
    const state = stateAfter(ahead, query);
    const rests = await this.rests.rests(subscription, paymentsToChange(state.receivable));
    const most = query.pause === null ? MOST_CHARGES : count;
    const bounds = { count, most: isHeld ? 0 : most };
    const { charges, ...money } = previewAction({ ...ahead, state, ...rests }, balance_minor, bounds);
    const { status, active, ending_date, resume_at } = changesOf(state);
    return { charges, action: { status, active, ending_date, resume_at, ...money } };
  }
}

function requireOneAction({ stop, pause, resume_at }: UpcomingChargesQuery): void {
  if (stop !== null && pause !== null) throw fieldFault('pause', 'pause must not be given with stop');
  if (resume_at !== null && pause === null) throw fieldFault('resume_at', 'resume_at is for a pause');
}

function stateAfter(
  { state, terms, now }: AheadInput,
  { stop, resume_at }: UpcomingChargesQuery,
): SubscriptionState {
  const own = terms.for(state.subscribed);
  if (stop === null) return pauseSubscription(state, own, { resume_at }, now).state;
  try {
    return stopSubscription(state, own, { ending_date: stop === 'now' ? null : stop }, now).state;
  } catch (error) {
    throw namingStop(error);
  }
}

/** The fault of a stop, in whose request the date has another name. */
function namingStop(error: unknown): unknown {
  if (!isFault(error)) return error;
  const { errors, ...details } = error.details;
  const named = errors?.map(({ code, message }) => ({ path: 'stop', code, message: inQuery(message) }));
  return fault(error.code, inQuery(error.message), { ...details, ...(named && { errors: named }) });
}

function inQuery(message: string): string {
  return message.replace('ending_date', 'stop');
}
