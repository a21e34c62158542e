import { earlier } from '../calendar/schedule.js';
import { giveBack } from '../ledger/credit.js';
import { collectable, type Ledger, type SliceLedger } from '../ledger/ledger.js';
import { inFlight, type ChargeKind, type OpenPayment, type PaymentKey } from '../ledger/open-payment.js';
import { cutShort, sliceKey, type RunningSlice } from '../ledger/running-slice.js';
import { billSlice, type SliceBill } from '../ledger/slice-bill.js';
import { nextSlice, settleableCuts } from '../lifecycle/slices.js';
import { withProration } from '../lifecycle/stopping.js';
import {
  isPaused,
  withLedger,
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
import type { Terms } from '../pricing/terms.js';
import type { Decision } from './decision.js';

/** What a decision is made from. */
export interface Moment<S extends SubscriptionState = SubscriptionState> {
  readonly state: S;
  readonly terms: Terms;
  readonly now: Date;
}

interface ChargeInput extends PaymentKey {
  readonly parts: readonly PricedPart[];
  readonly own_minor: number;
  readonly of: string | null;
  readonly counts: boolean;
  /** How much of the outstanding amount is one of the parts. */
  readonly debt_minor: number;
  readonly period: { readonly start: Date; readonly end: Date };
}

/** Charges a slice that begins (prepay) or ends (arrears), and moves on to the next. */
export function chargeSlice(moment: Moment<BilledState>, slice: RunningSlice): Decision {
  return moment.terms.plan.prepay ? chargeInAdvance(moment, slice) : chargeInArrears(moment, slice);
}

function chargeInAdvance(moment: Moment<BilledState>, slice: RunningSlice): Decision {
  const { state, terms, now } = moment;
  const bill = billSlice(state.schedule, terms, slice, slice.whole ? 0 : 1);
  const takesSetup = state.ledger.setup_due !== null;
  const billed = withLedger(state, {
    ...(takesSetup ? SETUP_CHARGED : {}),
    slice: withBill(bill.slice),
    next_slice: state.ledger.next_slice + 1,
  });
  const after = withProration(billed, terms, bill.slice, now);
  return chargeBill({ ...moment, state: after }, bill, takesSetup ? [setupFee(terms)] : []);
}

function chargeInArrears(moment: Moment<BilledState>, slice: RunningSlice): Decision {
  const { state, terms, now } = moment;
  const cut = cutByNewEnd(state, slice);
  const bill = billSlice(state.schedule, terms, cut, cut.cuts.length);
  const billed = withBill(bill.slice);
  const passed = withLedger(state, { slice: billed, next_slice: state.ledger.next_slice + 1 });
  const next = nextSlice(passed);
  const prorated = withProration(passed, terms, cut, now);
  const after =
    next === null
      ? withoutService(prorated, now)
      : withProration(withLedger(prorated, { slice: next }), terms, next, now);
  return chargeBill({ ...moment, state: after }, bill, []);
}

/** Where the end was moved forward after part of the slice had been charged, the rest is taken off. */
function cutByNewEnd({ schedule }: BilledState, slice: RunningSlice): RunningSlice {
  const end = schedule.endOf(slice);
  return slice.base_minor === null || end >= slice.end ? slice : cutShort(slice, end);
}

/** Service ends with the last slice, whatever becomes of its payment. */
function withoutService(state: BilledState, now: Date): BilledState {
  if (isPaused(state)) return state;
  const end = state.status === 'NON_RENEWING' ? state.ending_date : state.schedule.end;
  return end !== null && end <= now ? { ...state, active: false } : state;
}

/** Settles a pause, a resume or a postponed end within a slice: by a charge, a refund or neither. */
export function settleSlice(moment: Moment<BilledState>, slice: RunningSlice): Decision {
  const { state, terms } = moment;
  const { ledger, schedule } = state;
  const [left, ...others] = ledger.closing;
  const isLeft = slice === left;
  const upTo = isLeft ? slice.cuts.length : slice.settled + settleableCuts(state, slice).length;
  const bill = billSlice(schedule, terms, slice, upTo);
  const put = (done: RunningSlice): Partial<SliceLedger> => (isLeft ? { closing: others } : { slice: done });
  if (bill.amount_minor > 0) {
    return chargeBill({ ...moment, state: withLedger(state, put(withBill(bill.slice))) }, bill, []);
  }
  const event = 'subscription.updated';
  if (bill.amount_minor === 0) return { do: 'change', state: withLedger(state, put(bill.slice)), event };
  const {
    outstanding_amount_minor,
    slice: credited,
    settled,
    refund,
  } = giveBack(ledger, bill, slice, 'pause');
  const keep: Partial<SliceLedger> = isLeft ? { closing: [credited, ...others] } : { slice: credited };
  const books = { ...(settled ? put(credited) : keep), outstanding_amount_minor };
  const after = withLedger(state, books);
  return refund === null
    ? { do: 'change', state: after, event }
    : { do: 'refund', state: after, event, refund };
}

function chargeBill(
  moment: Moment<BilledState>,
  { slice, parts, amount_minor }: SliceBill,
  more: readonly PricedPart[],
): Decision {
  const { state, terms } = moment;
  // The slice of the bill does not count this payment yet.
  const key = sliceKey(slice);
  const kind: ChargeKind = slice.bills === 0 ? 'period' : 'proration';
  const debt_minor = collectable(state.ledger, terms.plan.auto_bill_amount);
  return charge(moment, {
    kind,
    slice: slice.bills === 0 ? key : `${key}-${slice.bills}`,
    parts: [...more, ...parts, ...debtParts(state.ledger, debt_minor)],
    own_minor: amount_minor,
    of: key,
    counts: true,
    debt_minor,
    period: { start: slice.start, end: earlier(state.schedule.endOf(slice), slice.end) },
  });
}

/** Charges the setup fee by itself. */
export function chargeSetup(moment: Moment): Decision {
  return charge(
    { ...moment, state: withLedger(moment.state, SETUP_CHARGED) },
    {
      kind: 'setup',
      slice: 'setup',
      parts: [setupFee(moment.terms)],
      own_minor: 0,
      of: null,
      counts: false,
      debt_minor: 0,
      period: { start: moment.now, end: moment.now },
    },
  );
}

/** Charges all that is owed to a new payment method. */
export function chargeDebts(moment: Moment): Decision {
  const { state, now } = moment;
  const { ledger } = state;
  const debts = ledger.debts + 1;
  const running = 'slice' in ledger ? ledger.slice : null;
  return charge(
    { ...moment, state: withLedger(state, { debts }) },
    {
      kind: 'period',
      slice: `debt-${debts}`,
      parts: debtParts(ledger, ledger.outstanding_amount_minor),
      own_minor: 0,
      of: null,
      counts: ledger.collect_debt?.counts ?? false,
      debt_minor: ledger.outstanding_amount_minor,
      period: { start: running?.start ?? now, end: running?.end ?? now },
    },
  );
}

/** How the amount of a payment comes about that collected debt alone. */
export function debtBreakdown(debt_minor: number, currency: string): Breakdown {
  return breakdownOf(currency, [outstandingPart(debt_minor, currency)]).breakdown;
}

function charge({ state, now }: Moment, input: ChargeInput): Decision {
  const { kind, slice, own_minor, of, counts, debt_minor, period } = input;
  const { currency, outstanding_amount_minor, collect_debt } = state.ledger;
  const { amount_minor, breakdown } = breakdownOf(currency, input.parts);
  const collectsAll = debt_minor > 0 && debt_minor === outstanding_amount_minor;
  const opened = { kind, slice, amount_minor, debt_minor, own_minor, of, since: now, counts, attempts: 1 };
  const open_payment: OpenPayment = inFlight(opened, 1);
  const { start: period_start, end: period_end } = period;
  return {
    do: 'charge',
    // Where this payment collects the debt, a new payment method has nothing left to collect.
    state: withLedger(state, { open_payment, collect_debt: collectsAll ? null : collect_debt }),
    event: 'subscription.updated',
    charge: {
      ...{ kind, slice, amount_minor, debt_minor, period_start, period_end, breakdown },
      off_session: true,
    },
  };
}

const SETUP_CHARGED = { setup_due: null, setup_charged: true };

function setupFee({ plan }: Terms): PricedPart {
  return setupPart(plan.setup_fee_minor, plan.currency);
}

function debtParts({ currency }: Ledger, debt_minor: number): PricedPart[] {
  return debt_minor > 0 ? [outstandingPart(debt_minor, currency)] : [];
}

function withBill(slice: RunningSlice): RunningSlice {
  return { ...slice, bills: slice.bills + 1 };
}
