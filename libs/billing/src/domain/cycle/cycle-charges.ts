import { toMajor, toMinor } from '@commerce/kernel';
import { breakdownOf, type BreakdownPart } from '../pricing/breakdown.js';
import { isStopped, settleableCuts } from './cycle-agenda.js';
import { billSlice, debtParts, prorateAmount, setupFeePart, type SliceBill } from './cycle-amounts.js';
import { endOfSlice, nextSlice, sliceKey, earlier, naturalEnd } from './cycle-calendar.js';
import { applied } from './cycle-derived.js';
import type { Charge, Decision } from './decision.js';
import { giveBack } from '../ledger/refunding.js';
import type {
  ChargeKind,
  OpenPayment,
  PaymentKey,
  RunningSlice,
  StateChanges,
  SubscriptionState,
} from '../lifecycle/subscription-state.js';
import type { Terms } from '../lifecycle/subscription-terms.js';

/** What a decision is made from. */
export interface Moment {
  readonly state: SubscriptionState;
  readonly terms: Terms;
  readonly now: Date;
}

interface ChargeInput extends PaymentKey {
  readonly parts: readonly BreakdownPart[];
  readonly own_minor: number;
  readonly of: string | null;
  readonly counts: boolean;
  /** The whole outstanding amount is one of the parts. */
  readonly debt: boolean;
  readonly period: { readonly start: Date; readonly end: Date };
  readonly changes: StateChanges;
}

/** Charges a slice that begins (prepay) or ends (arrears), and steps on to the next. */
export function chargeSlice(moment: Moment, slice: RunningSlice): Decision {
  return moment.terms.plan.prepay ? chargeInAdvance(moment, slice) : chargeInArrears(moment, slice);
}

function chargeInAdvance(moment: Moment, slice: RunningSlice): Decision {
  const { state, terms } = moment;
  const bill = billSlice(state, terms, slice, slice.whole ? 0 : 1);
  const setup = state.setup_due === null ? [] : [setupFeePart(terms)];
  const changes: StateChanges = {
    slice: { ...bill.slice, bills: bill.slice.bills + 1 },
    next_slice: state.next_slice + 1,
    ...(setup.length > 0 ? { setup_due: null, setup_charged: true } : {}),
    ...prorated(moment, bill.slice),
  };
  return chargeBill(moment, bill, changes, setup);
}

function chargeInArrears(moment: Moment, slice: RunningSlice): Decision {
  const { state, terms, now } = moment;
  const cut = cutByNewEnd(moment, slice);
  const bill = billSlice(state, terms, cut, cut.cuts.length);
  const billed = { ...bill.slice, bills: bill.slice.bills + 1 };
  const after = applied(state, { slice: billed, next_slice: state.next_slice + 1 });
  const next = nextSlice(after, terms.plan);
  const end = state.status === 'NON_RENEWING' ? state.ending_date : naturalEnd(state, terms.plan);
  const changes: StateChanges = {
    slice: next ?? billed,
    next_slice: after.next_slice,
    ...prorated(moment, cut),
    ...(next === null ? {} : prorated(moment, next)),
    // Service ends with the last slice, whatever becomes of its payment.
    ...(next === null && end !== null && end <= now ? { active: false } : {}),
  };
  return chargeBill(moment, bill, changes, []);
}

/** An end that came nearer after part of the slice had been charged takes its rest off. */
function cutByNewEnd({ state, terms }: Moment, slice: RunningSlice): RunningSlice {
  const end = endOfSlice(state, terms.plan, slice);
  if (slice.base === null || end >= slice.end) return slice;
  return { ...slice, cuts: [...slice.cuts, { at: end, takes: 'stop' }] };
}

/** A stop shows what it takes off as soon as its slice is the running one. */
function prorated({ state, terms, now }: Moment, slice: RunningSlice): StateChanges {
  if (!isStopped(state, slice) || state.ending_date === null) return {};
  return { prorate_amount: prorateAmount(state, terms, slice, state.ending_date), last_prorate_date: now };
}

/** Settles pauses and resumes within a slice, and a slice that has grown: by a charge, a refund or neither. */
export function settleSlice(moment: Moment, slice: RunningSlice): Decision {
  const { state, terms } = moment;
  const isLeft = state.closing.includes(slice);
  const upTo = isLeft ? slice.cuts.length : slice.settled + settleableCuts(state, slice).length;
  const bill = withoutCredit(billSlice(state, terms, slice, upTo), slice, state.currency);
  const put = (settled: RunningSlice): StateChanges =>
    isLeft ? { closing: state.closing.slice(1) } : { slice: settled };
  if (bill.amount_minor > 0) {
    return chargeBill(moment, bill, put({ ...bill.slice, bills: bill.slice.bills + 1 }), []);
  }
  if (bill.amount_minor === 0) {
    return { do: 'change', changes: put(bill.slice), event: 'subscription.updated' };
  }
  const keep = (left: RunningSlice): StateChanges =>
    isLeft ? { closing: [left, ...state.closing.slice(1)] } : { slice: left };
  const back = giveBack(state, bill, slice, 'pause');
  const changes = { ...back.changes, ...(back.settled ? put(back.slice) : keep(back.slice)) };
  return back.refund === null
    ? { do: 'change', changes, event: 'subscription.updated' }
    : { do: 'refund', changes, event: 'subscription.updated', refund: back.refund };
}

/** What has been given back already does not count again. */
export function withoutCredit(bill: SliceBill, before: RunningSlice, currency: string): SliceBill {
  const credited = toMinor(before.credited, currency);
  if (credited === 0) return bill;
  const part: BreakdownPart = { kind: 'outstanding', amount: before.credited };
  const slice = { ...bill.slice, credited: 0 };
  return { parts: [...bill.parts, part], amount_minor: bill.amount_minor + credited, slice };
}

function chargeBill(
  moment: Moment,
  bill: SliceBill,
  changes: StateChanges,
  more: readonly BreakdownPart[],
): Decision {
  const { state, terms } = moment;
  const { slice } = bill;
  // The bill's slice does not count this payment yet.
  const key = sliceKey(slice);
  const kind: ChargeKind = slice.bills === 0 ? 'period' : 'proration';
  const debts = debtParts(state, terms.plan.auto_bill_amount);
  return charge(moment, {
    kind,
    slice: slice.bills === 0 ? key : `${key}-${slice.bills}`,
    parts: [...more, ...bill.parts, ...debts],
    own_minor: bill.amount_minor,
    of: key,
    counts: true,
    debt: debts.length > 0,
    period: { start: slice.start, end: earlier(endOfSlice(state, terms.plan, slice), slice.end) },
    changes,
  });
}

/** Charges the setup fee by itself. */
export function chargeSetup(moment: Moment): Decision {
  return charge(moment, {
    kind: 'setup',
    slice: 'setup',
    parts: [setupFeePart(moment.terms)],
    own_minor: 0,
    of: null,
    counts: false,
    debt: false,
    period: { start: moment.now, end: moment.now },
    changes: { setup_due: null, setup_charged: true },
  });
}

/** Charges all that is owed to a new payment method. */
export function chargeDebts(moment: Moment): Decision {
  const { state, now } = moment;
  const number = state.debts + 1;
  return charge(moment, {
    kind: 'period',
    slice: `debt-${number}`,
    parts: debtParts(state, true),
    own_minor: 0,
    of: null,
    counts: state.collect_debt?.counts ?? false,
    debt: true,
    period: { start: state.slice?.start ?? now, end: state.slice?.end ?? now },
    changes: { debts: number },
  });
}

function charge({ state, now }: Moment, input: ChargeInput): Decision {
  const { kind, slice, parts, period } = input;
  const breakdown = breakdownOf(state.currency, parts);
  const open_payment: OpenPayment = {
    kind,
    slice,
    amount: breakdown.amount,
    debt: input.debt ? state.outstanding_amount : 0,
    own: toMajor(input.own_minor, state.currency),
    of: input.of,
    state: 'IN_FLIGHT',
    attempts: 1,
    since: now,
    retry_at: null,
    expires_at: null,
    counts: input.counts,
  };
  const charged: Charge = {
    kind,
    slice,
    amount_minor: toMinor(breakdown.amount, state.currency),
    period_start: period.start,
    period_end: period.end,
    breakdown,
    off_session: true,
  };
  return {
    do: 'charge',
    // A new payment method has nothing more to collect where the debt is in this payment.
    changes: { ...input.changes, open_payment, ...(input.debt ? { collect_debt: null } : {}) },
    event: 'subscription.updated',
    charge: charged,
  };
}
