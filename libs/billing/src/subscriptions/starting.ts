import { fieldFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import { notAllowed, type CustomerSettings } from '@commerce/identity';

import { startSubscription, type StartInput } from '../domain/actions/actions.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { requireRoomForPeriod } from './recent-periods.js';

const HOUR_MS = 3_600_000;

/** The earliest start, counted back from now: the time passed since then is charged immediately. */
const USERS = { ms: 24 * HOUR_MS, text: '24 hours' };
const ADMINS = { ms: 366 * 24 * HOUR_MS, text: '366 days' };

/** @throws Fault `value.invalid` for a start further back than this caller may set */
export function requireRecentStart(
  { role }: Pick<Caller, 'role'>,
  starting_date: Date | null | undefined,
  now: Date,
): void {
  if (!starting_date) return;
  const most = role === 'admin' ? ADMINS : USERS;
  if (now.getTime() - starting_date.getTime() <= most.ms) return;
  throw fieldFault('starting_date', `starting_date must be at most ${most.text} in the past`);
}

/** The subscription that a caller starts, and the time of its customer. */
interface StartContext {
  readonly before: SubscriptionRecord;
  readonly state: SubscriptionState;
  readonly terms: Terms;
  readonly now: Date;
}

/**
 * Starts, resumes or takes back a stop for a caller; the preview of a start decides by this, too.
 * @throws Faults of `startSubscription`, `requireRecentStart` and `requireRoomForPeriod`
 */
export function startFor(
  caller: Pick<Caller, 'role'>,
  { before, state, terms, now }: StartContext,
  input: StartInput,
): Transition {
  if (state.status === 'CREATED') {
    requireRecentStart(caller, input.starting_date ?? state.starting_date, now);
  }
  const started = startSubscription(state, terms, input, now);
  const isReanchored = state.status === 'PAUSED' && input.reanchor === true;
  if (isReanchored) requireRoomForPeriod(before, started.state, terms, now);
  return started;
}

/** How a start is collected: what its request asked for, and what its company has chosen for customers. */
interface Collecting {
  readonly collect: 'first' | 'later' | null;
  readonly customers: Pick<CustomerSettings, 'start'>;
}

/**
 * Whether a first start waits for its payment.
 * @throws Fault `customer.not_allowed` for a customer who may start only what is paid; `value.invalid` naming `collect`
 * for any other start
 */
export function collectsFirst({ collect, customers }: Collecting, isFirst: boolean): boolean {
  if (!isFirst && collect === 'first')
    throw fieldFault('collect', 'collect can be first only for the first start');
  if (!isFirst) return false;
  if (collect === 'later' && customers.start === 'first') throw notAllowed('start', 'start what is not paid');
  return (collect ?? customers.start) === 'first';
}
