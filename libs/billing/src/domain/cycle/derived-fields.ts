import { earlier } from '../calendar/schedule.js';
import {
  lineOf,
  isPaused,
  isScheduled,
  type CollectionState,
  type DerivedFields,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { PlanTerms } from '../pricing/terms.js';
import { collecting } from '../receivable/open-payments.js';
import { requireSound } from '../receivable/accounts.js';
import { awaitsFirstPayment } from '../lifecycle/first-payment.js';
import { runningPeriod } from '../lines/line.js';
import { nextDueAction } from './due-actions.js';
import { View, nextChargeDate } from './view.js';

/**
 * Updates the fields that follow from the state. Every decision and every action ends here, so that `due` is never
 * forgotten.
 */
export function withDerivedFields<S extends SubscriptionState>(state: S, plan: PlanTerms): S {
  requireSound(state);
  const derived: DerivedFields = {
    ...periodOf(state),
    collection_state: collectionState(state),
    next_billing_date: nextChargeDate(state),
    awaits_first_payment: awaitsFirstPayment(state, plan),
    due: nextDueAction(new View(state, plan))?.at ?? null,
  };
  return { ...state, derived };
}

function collectionState({ receivable, derived }: SubscriptionState): CollectionState {
  const { open_payments, outstanding_amount_minor } = receivable;
  const open = collecting(open_payments);
  // An attempt in flight changes nothing yet.
  if (open?.state === 'IN_FLIGHT') return derived.collection_state;
  if (open?.state === 'RETRYING' || open?.state === 'REQUIRES_AUTH') return open.state;
  return outstanding_amount_minor > 0 ? 'PAST_DUE' : 'OK';
}

type Period = Pick<DerivedFields, 'current_billing_date_period_start' | 'current_billing_date_period_end'>;

/** The current period or the trial; while paused and after the end, the last one that ran. */
function periodOf(state: SubscriptionState): Period {
  const { current_billing_date_period_start, current_billing_date_period_end } = state.derived;
  const shown = { current_billing_date_period_start, current_billing_date_period_end };
  if (!isScheduled(state) || isPaused(state)) return shown;
  const line = lineOf(state);
  const { schedule } = line;
  const { starting_date, trial_ending_date } = schedule.facts;
  const shownEnd = state.status === 'NON_RENEWING' ? state.ending_date : schedule.end;
  const awaitsTrial = state.status === 'FUTURE' || state.in_trial;
  if (awaitsTrial && trial_ending_date !== null) {
    return {
      current_billing_date_period_start: starting_date,
      current_billing_date_period_end: earlier(trial_ending_date, shownEnd),
    };
  }
  const period = runningPeriod(line) ?? schedule.period(line.next_period);
  const { end } = schedule;
  if (end !== null && end <= period.start) return shown;
  return {
    current_billing_date_period_start: period.start,
    current_billing_date_period_end: earlier(period.end, end),
  };
}
