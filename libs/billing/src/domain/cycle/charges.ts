import { earlier } from '../calendar/schedule.js';
import { divideCredits, settleChanged, type SettledPeriods } from '../receivable/changed-periods.js';
import { giveBack, type Refund, type RestOf } from '../receivable/credit.js';
import { collectable, type Receivable, type StartedReceivable } from '../receivable/receivable.js';
import { inFlight, type ChargeKind, type OpenPayment, type PaymentKey } from '../receivable/open-payment.js';
import { withStop, periodKey, type BillingPeriod } from '../receivable/billing-period.js';
import { periodCharge, termsOfPeriod, type PeriodCharge } from '../receivable/period-charge.js';
import { isStopped, nextPeriod, settleableCuts } from '../lifecycle/periods.js';
import { withProration } from '../lifecycle/stopping.js';
import {
  isPaused,
  withReceivable,
  type BilledState,
  type SubscriptionState,
} from '../lifecycle/subscription-state.js';
import {
  breakdownOf,
  outstandingPart,
  setupPart,
  type Breakdown,
  type PricedPart,
} from '../pricing/breakdown.js';
import { taxesField } from '../pricing/part-tax.js';
import type { Terms } from '../pricing/terms.js';
import type { Decision } from './decision.js';

/** The inputs of a decision. */
export interface DecisionContext<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly terms: Terms;
  readonly now: Date;
  /** The rest of each payment that a credit may be taken from. */
  readonly restOf: RestOf;
}

interface ChargeInput extends PaymentKey {
  /** Without the debt. */
  readonly parts: readonly PricedPart[];
  readonly own_minor: number;
  readonly of: string | null;
  readonly counts: boolean;
  /** The part of the outstanding amount that is charged with them. */
  readonly debt_minor: number;
  readonly redeems: string | null;
  readonly period: { readonly start: Date; readonly end: Date };
}

/** Charges a period that begins (prepay) or ends (arrears), and advances to the next. */
export function chargePeriod(context: DecisionContext<BilledState>, period: BillingPeriod): Decision {
  return context.terms.plan.prepay ? chargeInAdvance(context, period) : chargeInArrears(context, period);
}

function chargeInAdvance(context: DecisionContext<BilledState>, period: BillingPeriod): Decision {
  const { state, terms, now } = context;
  const bill = periodCharge(state.schedule, terms, period, period.whole ? 0 : 1);
  const takesSetup = state.receivable.setup_due !== null;
  const billed = withReceivable(state, {
    ...(takesSetup ? SETUP_CHARGED : {}),
    period: withBill(bill.period),
    next_period: state.receivable.next_period + 1,
  });
  const after = withProration(billed, terms, bill.period, now);
  return settledWith({ ...context, state: after }, bill, takesSetup ? [setupFee(terms, now)] : []);
}

function chargeInArrears(context: DecisionContext<BilledState>, period: BillingPeriod): Decision {
  const { state, terms, now } = context;
  const cut = cutByNewEnd(state, period);
  const bill = periodCharge(state.schedule, terms, cut, cut.cuts.length);
  const billed = withBill(bill.period);
  const passed = withReceivable(state, { period: billed, next_period: state.receivable.next_period + 1 });
  const next = nextPeriod(passed);
  const prorated = withProration(passed, terms, cut, now);
  const after =
    next === null
      ? withoutService(prorated, now)
      : withProration(withReceivable(prorated, { period: next }), terms, next, now);
  return settledWith({ ...context, state: after }, bill, []);
}

/** Takes off the rest of a period whose end was moved forward after part of it had been charged. */
function cutByNewEnd(state: BilledState, period: BillingPeriod): BillingPeriod {
  const end = state.schedule.endOf(period);
  // A stop has taken off all that follows it.
  const isCut = period.base_minor === null || end >= period.end || isStopped(state, period);
  return isCut ? period : withStop(period, end);
}

/** Service ends with the last period, with or without a payment. */
function withoutService(state: BilledState, now: Date): BilledState {
  if (isPaused(state)) return state;
  const end = state.status === 'NON_RENEWING' ? state.ending_date : state.schedule.end;
  return end !== null && end <= now ? { ...state, active: false } : state;
}

/**
 * Opens the payment of a period together with the settlement of periods that a change has ended. A credit pays for the
 * period first; the rest of it is given back.
 */
function settledWith(
  context: DecisionContext<BilledState>,
  bill: PeriodCharge,
  setup: readonly PricedPart[],
): Decision {
  const { state, terms, now, restOf } = context;
  const { receivable } = state;
  const ended = settleChanged(state.schedule, terms, receivable, now, restOf);
  if (ended.settled.length === 0) return openCharge(context, bill, { setup });
  const needed_minor = bill.amount_minor + ended.charged_minor;
  const { moved, refunds } = divideCredits(ended.credits, needed_minor);
  const { period } = receivable;
  const isBilled = period !== null && periodKey(period) === periodKey(bill.period);
  const pays = isBilled ? { ...period, paid: [...moved, ...bill.period.paid] } : period;
  const after = withSettled(withReceivable(state, { period: pays }), ended);
  const own_minor = needed_minor - ended.credited_minor;
  if (own_minor <= 0 && setup.length === 0) return givingBack(after, refunds);
  const all = { ...bill, parts: [...ended.parts, ...bill.parts], amount_minor: Math.max(0, own_minor) };
  return {
    ...openCharge({ ...context, state: after }, all, { setup, isChange: terms.plan.prepay }),
    refunds,
  };
}

/** Settles periods that a change has ended where the period after it is not charged at the same time. */
export function settleChange(context: DecisionContext<BilledState>): Decision {
  const { state, terms, now, restOf } = context;
  const ended = settleChanged(state.schedule, terms, state.receivable, now, restOf);
  const last = ended.settled.at(-1);
  if (last === undefined) throw new RangeError('No period waits for the settlement of a change');
  const after = withSettled(state, ended);
  const own_minor = ended.charged_minor - ended.credited_minor;
  const { refunds } = divideCredits(ended.credits, ended.charged_minor);
  if (own_minor <= 0) return givingBack(after, refunds);
  const bill = { parts: ended.parts, amount_minor: own_minor, period: last };
  return { ...openCharge({ ...context, state: after }, bill, { isChange: true }), refunds };
}

function withSettled(state: BilledState, { left, forgiven_minor }: SettledPeriods): BilledState {
  const outstanding_amount_minor = state.receivable.outstanding_amount_minor - forgiven_minor;
  return withReceivable(state, { ended_periods: left, outstanding_amount_minor });
}

/** A decision without a charge, which gives back what it owes. */
function givingBack(state: BilledState, refunds: readonly Refund[]): Decision {
  const event = 'subscription.updated';
  return refunds.length === 0 ? { do: 'change', state, event } : { do: 'refund', state, event, refunds };
}

/** Settles a pause, a resume or a postponed end within a period: by a charge, a refund or neither. */
export function settleProrations(context: DecisionContext<BilledState>, period: BillingPeriod): Decision {
  const { state, terms, now, restOf } = context;
  const { receivable, schedule } = state;
  const isLeft = receivable.ended_periods.includes(period);
  const others = receivable.ended_periods.filter((one) => one !== period);
  const upTo = isLeft ? period.cuts.length : period.settled + settleableCuts(state, period).length;
  const bill = periodCharge(schedule, termsOfPeriod(terms, period), period, upTo);
  const put = (done: BillingPeriod): Partial<StartedReceivable> =>
    isLeft ? { ended_periods: others } : { period: done };
  if (bill.amount_minor > 0) {
    const billed = withReceivable(state, put(withBill(bill.period)));
    return openCharge({ ...context, state: withProration(billed, terms, bill.period, now) }, bill, {});
  }
  if (bill.amount_minor === 0) return givingBack(withReceivable(state, put(bill.period)), []);
  const {
    refunds,
    outstanding_amount_minor,
    period: credited,
  } = giveBack(receivable, bill, period, 'pause', restOf);
  return givingBack(withReceivable(state, { ...put(credited), outstanding_amount_minor }), refunds);
}

type Opened = Extract<Decision, { readonly do: 'charge' }>;

function openCharge(
  context: DecisionContext<BilledState>,
  { period, parts, amount_minor }: PeriodCharge,
  { setup = [], isChange = false }: { readonly setup?: readonly PricedPart[]; readonly isChange?: boolean },
): Opened {
  const { state, terms } = context;
  // `period` does not count this payment yet.
  const key = periodKey(period);
  const kind: ChargeKind = period.bills === 0 && !isChange ? 'period' : 'proration';
  const debt_minor = collectable(state.receivable, terms.plan.auto_bill_amount);
  return charge(context, {
    kind,
    slice: period.bills === 0 ? key : `${key}-${period.bills}`,
    parts: [...setup, ...parts],
    own_minor: amount_minor,
    of: key,
    counts: true,
    debt_minor,
    redeems: (period.subscribed ?? state.subscribed).discount?.coupon ?? null,
    period: { start: period.start, end: earlier(state.schedule.endOf(period), period.end) },
  });
}

/** Charges the setup fee by itself. */
export function chargeSetup(context: DecisionContext): Decision {
  return charge(
    { ...context, state: withReceivable(context.state, SETUP_CHARGED) },
    {
      kind: 'setup',
      slice: 'setup',
      parts: [setupFee(context.terms, context.now)],
      own_minor: 0,
      of: null,
      counts: false,
      debt_minor: 0,
      // No discount touches the setup fee.
      redeems: null,
      period: { start: context.now, end: context.now },
    },
  );
}

/** Charges the whole debt to a new payment method. */
export function chargeDebts(context: DecisionContext): Decision {
  const { state, now } = context;
  const { receivable } = state;
  const debts = receivable.debts + 1;
  const running = 'period' in receivable ? receivable.period : null;
  return charge(
    { ...context, state: withReceivable(state, { debts }) },
    {
      kind: 'period',
      slice: `debt-${debts}`,
      parts: [],
      own_minor: 0,
      of: null,
      counts: receivable.collect_debt?.counts ?? false,
      debt_minor: receivable.outstanding_amount_minor,
      redeems: state.subscribed.discount?.coupon ?? null,
      period: { start: running?.start ?? now, end: running?.end ?? now },
    },
  );
}

/** The breakdown of a payment that collects debt alone. */
export function debtBreakdown(debt_minor: number, currency: string): Breakdown {
  return breakdownOf(currency, [outstandingPart(debt_minor, currency)]).breakdown;
}

function charge({ state, now }: DecisionContext, input: ChargeInput): Opened {
  const { kind, slice, own_minor, of, counts, debt_minor, redeems, period } = input;
  const { currency, outstanding_amount_minor, collect_debt } = state.receivable;
  const parts = [...input.parts, ...debtParts(state.receivable, debt_minor)];
  const { amount_minor, breakdown } = breakdownOf(currency, parts);
  const own = input.parts.map(({ part }) => part);
  const collectsAll = debt_minor > 0 && debt_minor === outstanding_amount_minor;
  const opened = { kind, slice, amount_minor, debt_minor, own_minor, of, since: now, counts, attempts: 1 };
  const open_payment: OpenPayment = inFlight({ ...opened, ...taxesField(own, currency) }, 1);
  const { start: period_start, end: period_end } = period;
  return {
    do: 'charge',
    // A payment that collects the debt leaves nothing for a new payment method to collect.
    state: withReceivable(state, { open_payment, collect_debt: collectsAll ? null : collect_debt }),
    event: 'subscription.updated',
    charge: {
      ...{ kind, slice, amount_minor, debt_minor, period_start, period_end, breakdown, redeems },
      off_session: true,
    },
  };
}

const SETUP_CHARGED = { setup_due: null, setup_charged: true };

function setupFee(terms: Terms, now: Date): PricedPart {
  const { plan } = terms;
  const taxed = terms.setup?.(now);
  return setupPart(taxed?.amount_minor ?? plan.setup_fee_minor, plan.currency, taxed?.taxes);
}

function debtParts({ currency, debt_taxes }: Receivable, debt_minor: number): PricedPart[] {
  return debt_minor > 0 ? [outstandingPart(debt_minor, currency, debt_taxes)] : [];
}

function withBill(period: BillingPeriod): BillingPeriod {
  return { ...period, bills: period.bills + 1 };
}
