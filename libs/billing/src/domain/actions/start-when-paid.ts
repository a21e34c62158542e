import { fieldFault } from '@commerce/kernel';

import { withDerivedFields } from '../cycle/derived-fields.js';
import { lineOf, startingDate, withReceivable, type CreatedState } from '../lifecycle/subscription-state.js';
import type { StartQuote } from '../lifecycle/quote.js';
import type { Decider } from '../lifecycle/decided-by.js';
import type { Transition } from '../lifecycle/transition.js';
import type { Terms } from '../pricing/terms.js';
import type { PlanChange } from './change-plan.js';
import { chargeOf, quotedBy, requireNoOpenPayment } from './quote.js';

export interface StartWhenPaidInput {
  readonly set_by: Decider;
  /** The lowest amount that the card provider charges, in minor units: less is carried into the next charge. */
  readonly minimum_minor: number;
}

/**
 * A first start that was decided, once its first charge has succeeded: at once where nothing, or too little, is to be
 * charged now.
 * @throws Fault `value.invalid` naming `collect` for a start at another date than now; `payment.open`
 */
export function startWhenPaid(
  before: CreatedState,
  { state, event }: Transition,
  terms: Terms,
  { set_by, minimum_minor }: StartWhenPaidInput,
  now: Date,
): PlanChange {
  if (state.status !== 'ACTIVE' || startingDate(state)?.getTime() !== now.getTime()) {
    throw fieldFault('collect', 'collect can be first only where the subscription starts now');
  }
  const charging = chargeOf(state, terms, undefined, now);
  if (charging === null || charging.charge.amount_minor < minimum_minor)
    return { state, event, charge: null };
  requireNoOpenPayment(before, terms.plan, 'start');
  const { quote, charge, open_payments, quotes } = quotedBy(before, 'start', charging, now);
  const { term } = lineOf(state).schedule;
  const { trial_days } = terms.plan;
  const start: StartQuote = { of: 'start', set_by, term, trial_days, ...quote };
  const waiting = withReceivable<CreatedState>({ ...before, quote: start }, { open_payments, quotes });
  return { state: withDerivedFields(waiting, terms.plan), event: 'subscription.updated', charge };
}
