import { earliest } from '../calendar/schedule.js';
import { quoteNumber, type OpenPayment } from '../receivable/open-payment.js';
import { chargesOf, collecting, MAX_OPEN_PAYMENTS, type OpenPayments } from '../receivable/open-payments.js';
import { isBilledUpToPause } from '../lifecycle/periods.js';
import {
  lineOf,
  isBilled,
  isCancelledInPause,
  isPaused,
  type BilledState,
  type EndingState,
  type FutureState,
  type PausedState,
  type RunningState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { PendingChange } from '../lifecycle/pending-change.js';
import { isQuoted, paymentOfQuote, type QuotedState } from '../lifecycle/quoted-state.js';
import type { PlanTerms } from '../pricing/terms.js';
import type { View } from './view.js';

/** Time for a customer to authenticate a first payment, or one that no other follows. */
export const AUTHENTICATION_MS = 23 * 3_600_000;

/** An action of billing, its due date and its inputs. */
export type DueAction =
  | { readonly at: Date; readonly do: OpenPaymentAction; readonly open: OpenPayment }
  | {
      readonly at: Date;
      readonly do: 'end_quote';
      readonly state: QuotedState;
      readonly open: OpenPayment;
      /** Because something else is due before its customer had to act. */
      readonly isCut: boolean;
    }
  | { readonly at: Date; readonly do: 'debt' | 'setup' }
  | { readonly at: Date; readonly do: 'settle'; readonly state: BilledState }
  | {
      readonly at: Date;
      readonly do: 'change';
      readonly state: RunningState;
      readonly change: PendingChange;
    }
  | { readonly at: Date; readonly do: 'activate'; readonly state: FutureState }
  | { readonly at: Date; readonly do: 'resume'; readonly state: PausedState }
  | {
      readonly at: Date;
      readonly do: 'trial_end' | 'service_end' | 'finish';
      readonly state: RunningState | EndingState;
    };

export type OpenPaymentAction = 'drop' | 'replace' | 'cut_off' | 'expire' | 'retry';

/**
 * The next action of a subscription; null: none, or none before the answer to a payment in flight. All billing begins
 * here, so every remaining action has a date.
 */
export function nextDueAction(view: View): DueAction | null {
  const { state, plan } = view;
  const { open_payments, setup_due } = state.receivable;
  const open = collecting(open_payments);
  if (open?.state === 'IN_FLIGHT') return null;
  const given = givenUp(state, open_payments);
  if (given !== null) return { at: given.since, do: 'drop', open: given };
  if (state.status === 'CANCELLED' && !isCancelledInPause(state)) return null;
  const quote = quoteActions(view);
  if (isHeldUp(state, plan)) return oldest(quote);
  return oldest([
    ...quote,
    // A change at the start of a period comes before it begins.
    ...dueChange(state),
    ...(open === null ? chargeActions(view) : openPaymentActions(view, open)),
    ...statusActions(state),
    // After activation and period: where the dates are the same, prepay takes fee and period in one payment.
    ...(open === null && setup_due !== null ? [{ at: setup_due, do: 'setup' } as const] : []),
  ]);
}

/** An open payment that is not owed any more: of a quote that is gone, or of a subscription that was cancelled. */
function givenUp(state: SubscriptionState, open_payments: OpenPayments): OpenPayment | null {
  const isOver = state.status === 'CANCELLED' && !isCancelledInPause(state);
  const own = paymentOfQuote(state);
  const isLeft = (open: OpenPayment): boolean => (quoteNumber(open) === null ? isOver : open !== own);
  const canEnd = ({ state: now }: OpenPayment): boolean => now === 'RETRYING' || now === 'REQUIRES_AUTH';
  return open_payments.find((open) => canEnd(open) && isLeft(open)) ?? null;
}

/** Whether nothing is charged before the result of a payment: a first one that service waits for, or one of too many. */
export function isHeldUp(
  { receivable }: SubscriptionState,
  { initial_fail_amount_action }: PlanTerms,
): boolean {
  const charges = chargesOf(receivable.open_payments);
  if (collecting(charges) !== null || charges.length === 0) return false;
  const isFirst = initial_fail_amount_action === 'CANCEL' && !receivable.paid_before;
  return isFirst || charges.length >= MAX_OPEN_PAYMENTS;
}

/** A quote ends unpaid after 23 hours, or when the next settlement is due; not while its payment is in flight. */
function quoteActions(view: View): DueAction[] {
  const { state } = view;
  const open = paymentOfQuote(state);
  if (!isQuoted(state) || open === null || open.state === 'IN_FLIGHT') return [];
  const expires = authenticationEnd(open.since);
  const given = open.state === 'REQUIRES_AUTH' ? (open.expires_at ?? expires) : expires;
  const deadline = quoteDeadline(state, view);
  const isCut = deadline !== null && deadline < given;
  return [{ at: isCut ? deadline : given, do: 'end_quote', state, open, isCut }];
}

/** The date of what the quote did not reckon with. */
function quoteDeadline(state: QuotedState, { settlement, end }: View): Date | null {
  if (state.status === 'CREATED') return null;
  const [change] = dueChange(state);
  const [trial] = trialActions(state);
  const dates = [settlement, end, change?.at ?? null, trial?.at ?? null];
  return dates.reduce(earliest, null);
}

function dueChange(state: SubscriptionState): DueAction[] {
  if (state.status !== 'ACTIVE' || state.pending_change === null) return [];
  const { pending_change: pending } = state;
  const { schedule } = lineOf(state);
  const { at } = pending;
  if (at === null || (schedule.end !== null && schedule.end <= at)) return [];
  return [{ at, do: 'change', state, change: pending }];
}

/** The actions that follow from the status. Of two with the same date, the one listed first comes first. */
function statusActions(state: SubscriptionState): DueAction[] {
  switch (state.status) {
    case 'FUTURE':
      return [{ at: lineOf(state).schedule.facts.starting_date, do: 'activate', state }];
    case 'PAUSED':
      // A payment that is open may delay the charges of the periods before the pause beyond its end.
      return state.resume_at && isBilledUpToPause(state)
        ? [{ at: state.resume_at, do: 'resume', state }]
        : [];
    case 'NON_RENEWING':
      return [
        ...trialActions(state),
        ...(state.active ? [{ at: state.ending_date, do: 'service_end', state } as const] : []),
      ];
    case 'ACTIVE':
      return [...trialActions(state), ...serviceActions(state)];
    case 'CREATED':
    case 'COMPLETED':
    case 'CANCELLED':
      return [];
  }
}

function trialActions(state: RunningState | EndingState): DueAction[] {
  const { trial_ending_date } = lineOf(state).schedule.facts;
  return state.in_trial && trial_ending_date ? [{ at: trial_ending_date, do: 'trial_end', state }] : [];
}

/** Service ends on time even while a payment is open. Without one, the subscription itself ends. */
function serviceActions(state: RunningState): DueAction[] {
  const { end } = lineOf(state).schedule;
  const isOpen = chargesOf(state.receivable.open_payments).length > 0;
  return state.active && end && isOpen ? [{ at: end, do: 'service_end', state }] : [];
}

function openPaymentActions({ state, deadline }: View, open: OpenPayment): DueAction[] {
  const { collect_debt } = state.receivable;
  if (collect_debt) return [{ at: collect_debt.at, do: 'replace', open }];
  const items: DueAction[] = deadline === null ? [] : [{ at: deadline, do: 'cut_off', open }];
  if (open.state === 'RETRYING') return [...items, { at: open.retry_at, do: 'retry', open }];
  const given = open.state === 'REQUIRES_AUTH' ? open.expires_at : null;
  const expires = given ?? (deadline === null ? authenticationEnd(open.since) : null);
  return expires === null ? items : [...items, { at: expires, do: 'expire', open }];
}

function chargeActions({ state, settlement, end }: View): DueAction[] {
  const items: DueAction[] = [];
  const { collect_debt, outstanding_amount_minor } = state.receivable;
  const isOpen = chargesOf(state.receivable.open_payments).length > 0;
  if (collect_debt && outstanding_amount_minor > 0 && !isOpen)
    items.push({ at: collect_debt.at, do: 'debt' });
  if (!isBilled(state)) return items;
  if (settlement !== null) items.push({ at: settlement, do: 'settle', state });
  // The end waits for the results of its payments, service does not.
  if (end !== null && !isPaused(state) && !isOpen) items.push({ at: end, do: 'finish', state });
  return items;
}

function oldest(items: readonly DueAction[]): DueAction | null {
  return items.reduce<DueAction | null>((first, item) => (first && first.at <= item.at ? first : item), null);
}

function authenticationEnd(since: Date): Date {
  return new Date(since.getTime() + AUTHENTICATION_MS);
}
