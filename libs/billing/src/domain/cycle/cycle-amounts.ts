import { toMajor, toMinor } from '@commerce/kernel';
import { chargeForSlice, type SlicePrice } from '../pricing/accrual.js';
import {
  outstandingPart,
  periodPart,
  prorationPart,
  setupPart,
  type BreakdownPart,
} from '../pricing/breakdown.js';
import { sliceAt, type Slice } from '../calendar/calendar.js';
import { calendarOfSlice, endOfSlice, naturalEnd } from './cycle-calendar.js';
import { planPrice, type PlanPriceInput } from '../pricing/pricing.js';
import { prorateStop, type ProrationInput } from '../pricing/proration.js';
import type { RunningSlice, SliceCut, SubscriptionState } from '../lifecycle/subscription-state.js';
import type { Terms } from '../lifecycle/subscription-terms.js';

/** What is asked for a slice now: its parts, and the slice as it stands once they are charged. */
export interface SliceBill {
  readonly parts: readonly BreakdownPart[];
  /** Negative: to be given back. */
  readonly amount_minor: number;
  readonly slice: RunningSlice;
}

/**
 * Bills a slice up to its cut number `upTo`: its price, where that was not charged yet, and what the cuts since then
 * take off or add.
 */
export function billSlice(
  state: SubscriptionState,
  terms: Terms,
  slice: RunningSlice,
  upTo: number,
): SliceBill {
  const parts: BreakdownPart[] = [];
  let billed = slice;
  if (billed.base === null) {
    billed = withBase(state, terms, billed);
    if (billed.whole) parts.push(wholePart(state, terms, billed));
  } else {
    const grown = growth(state, terms, billed);
    parts.push(...grown.parts);
    billed = grown.slice;
  }
  for (const cut of billed.cuts.slice(billed.settled, upTo)) parts.push(cutPart(state, terms, billed, cut));
  const amount_minor = parts.reduce((sum, { amount }) => sum + toMinor(amount, state.currency), 0);
  return { parts, amount_minor, slice: { ...billed, settled: Math.max(billed.settled, upTo) } };
}

/** The prorate_amount of a stop in a slice: minus what is unused of its charge. */
export function prorateAmount(state: SubscriptionState, terms: Terms, slice: RunningSlice, at: Date): number {
  if (!terms.plan.is_prorated) return 0;
  const based = slice.base === null ? withBase(state, terms, slice) : slice;
  return toMajor(prorateStop(prorationInput(state, terms, based, at)), state.currency);
}

export function debtParts(state: SubscriptionState, includes: boolean): BreakdownPart[] {
  const debt = toMinor(state.outstanding_amount, state.currency);
  return includes && debt > 0 ? [outstandingPart(debt, state.currency)] : [];
}

export function setupFeePart(terms: Terms): BreakdownPart {
  const { setup_fee, currency } = terms.plan;
  return setupPart(toMinor(setup_fee, currency), currency);
}

function cutPart(
  state: SubscriptionState,
  terms: Terms,
  slice: RunningSlice,
  { at, takes }: SliceCut,
): BreakdownPart {
  return prorationPart(prorationInput(state, terms, slice, at), takes);
}

function prorationInput(
  state: SubscriptionState,
  { plan, settings }: Terms,
  slice: RunningSlice,
  at: Date,
): ProrationInput {
  return {
    mode: settings.proration_mode,
    timezone: calendarOfSlice(state, plan, slice).timezone,
    unit: plan.billing_interval,
    base_minor: toMinor(slice.base ?? 0, state.currency),
    currency: state.currency,
    start: slice.start,
    end: slice.end,
    at,
    is_prorated: plan.is_prorated,
  };
}

/** The slice with what it comes to as a whole, at today's price and with today's end. */
function withBase(state: SubscriptionState, terms: Terms, slice: RunningSlice): RunningSlice {
  const { price } = priceNow(terms);
  const end = endOfSlice(state, terms.plan, slice);
  const calendar = calendarOfSlice(state, terms.plan, slice);
  const { amount_minor } = chargeForSlice(
    calendar,
    price,
    uncut(state, terms, slice),
    serviceEnd(state, terms, slice),
  );
  return { ...slice, end, base: toMajor(amount_minor, state.currency) };
}

function wholePart(state: SubscriptionState, terms: Terms, slice: RunningSlice): BreakdownPart {
  const { price, from } = priceNow(terms);
  const calendar = calendarOfSlice(state, terms.plan, slice);
  return periodPart(calendar, price, uncut(state, terms, slice), serviceEnd(state, terms, slice), from);
}

/**
 * A slice that was charged up to an end which has since been put off: the rest of it is charged, as the whole less
 * what was charged.
 */
function growth(
  state: SubscriptionState,
  terms: Terms,
  slice: RunningSlice,
): { parts: BreakdownPart[]; slice: RunningSlice } {
  if (endOfSlice(state, terms.plan, slice) <= slice.end) return { parts: [], slice };
  const before = toMinor(slice.base ?? 0, state.currency);
  const grown = withBase(state, terms, { ...slice, base: null });
  const after = toMinor(grown.base ?? 0, state.currency);
  if (after <= before) return { parts: [], slice: { ...slice, end: grown.end } };
  const parts = [wholePart(state, terms, grown), outstandingPart(0 - before, state.currency)];
  return { parts, slice: grown };
}

/** The whole slice: the part before an end is computed from the uncut one. */
function uncut(state: SubscriptionState, terms: Terms, slice: RunningSlice): Slice {
  return sliceAt(calendarOfSlice(state, terms.plan, slice), slice.index);
}

function serviceEnd(state: SubscriptionState, terms: Terms, slice: RunningSlice): Date | null {
  return slice.run === state.run ? naturalEnd(state, terms.plan) : slice.end;
}

function priceNow(terms: Terms): { price: SlicePrice; from: PlanPriceInput } {
  const from = terms.price();
  const { currency, is_prorated } = terms.plan;
  return { price: { price_minor: planPrice(from).price_minor, currency, is_prorated }, from };
}
