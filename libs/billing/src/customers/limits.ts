import { notAllowed, type CustomerSettings } from '@commerce/identity';

import { stopSubscription } from '../domain/actions/actions.js';
import { isCheaper } from '../domain/actions/customer-change.js';
import {
  bringsEndWithinPeriod,
  changeEndsWithinPeriod,
  runningPeriodEnd,
} from '../domain/actions/customer-stop.js';
import type { SubscriptionState } from '../domain/lifecycle/subscription-state.js';
import type { Transition } from '../domain/lifecycle/transition.js';
import type { Terms } from '../domain/pricing/terms.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

type Ending = Pick<CustomerSettings, 'stop'>;

/** Who gave the end that a subscription has, apart from a stop. */
type EndSetBy = Pick<SubscriptionRecord, 'status' | 'ending_set_by' | 'term_set_by'>;

interface ActionContext {
  readonly before: EndSetBy;
  readonly state: SubscriptionState;
  readonly terms: Terms;
  readonly now: Date;
}

/**
 * Stops for a caller. Where customers stop with a period only, one without a date takes effect at the end of the running
 * one.
 * @throws Faults of `stopSubscription` and `requireEndOfPeriod`
 */
export function stopFor(
  { stop }: Ending,
  { before, state, terms, now }: ActionContext,
  ending_date: Date | null,
): Transition {
  const date = ending_date ?? (stop === 'period_end' ? runningPeriodEnd(state, now) : null);
  const stopped = stopSubscription(state, terms, { ending_date: date }, now);
  if (ending_date !== null) requireEndOfPeriod({ stop }, { before, state }, stopped.state);
  return stopped;
}

/**
 * Refuses an end within a period, unless the company set it.
 * @throws Fault `customer.not_allowed`
 */
export function requireEndOfPeriod(
  { stop }: Ending,
  { before, state }: Pick<ActionContext, 'before' | 'state'>,
  after: SubscriptionState,
): void {
  if (stop !== 'period_end' || isSetByCompany(before)) return;
  if (bringsEndWithinPeriod(state, after)) throw withPeriodOnly();
}

/**
 * Refuses a change that the company does not let its customers make: one that lowers the price of a day, or one to
 * periods within which the subscription would end.
 * @throws Fault `customer.not_allowed`
 */
export function requireAllowedChange(
  { change, stop }: Pick<CustomerSettings, 'change' | 'stop'>,
  { before, state, terms, now }: ActionContext,
  { next, at }: { readonly next: Terms; readonly at: Date | 'now' | 'period_end' },
): void {
  if (change === 'dearer' && isCheaper(terms, next, now)) {
    throw notAllowed('change', 'change to a lower price');
  }
  if (stop !== 'period_end' || isSetByCompany(before)) return;
  const end = at === 'period_end' ? runningPeriodEnd(state, now) : null;
  if (changeEndsWithinPeriod(state, next.plan, at instanceof Date ? at : (end ?? now)))
    throw withPeriodOnly();
}

function isSetByCompany({ status, ending_set_by, term_set_by }: EndSetBy): boolean {
  return (status === 'NON_RENEWING' ? term_set_by : ending_set_by) === 'ADMIN';
}

function withPeriodOnly(): Error {
  return notAllowed('stop', 'end a subscription within a period');
}
