import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import type { Terms } from '../pricing/terms.js';
import type { HoldingOf } from '../lines/credit.js';
import { Lookahead, type AheadInput, type PreviewedCharge } from './lookahead.js';

export type { PreviewedCharge } from './lookahead.js';

/** The money beside the price that a preview depends on, in minor units. */
interface PreviewedMoney {
  /** The least that the card provider charges. */
  readonly minimum_minor?: number;
  /** The balance of the customer, from which the charges take before the card. */
  readonly balance_minor?: number;
  /** The money of the payments that a change may credit; left out, nothing was given back by a person. */
  readonly holdingOf?: HoldingOf;
}

/**
 * The next `count` charges, assuming that each succeeds on its date: the same decisions that billing will make. An
 * amount below the card provider's minimum joins the next charge.
 */
export function previewCharges(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
  money: PreviewedMoney = {},
): PreviewedCharge[] {
  return lastOf(previewSteps(state, terms, now, count, money));
}

/** As `previewCharges`, a step for each charge. */
export function previewSteps(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
  { balance_minor = 0, ...more }: PreviewedMoney = {},
): Generator<void, PreviewedCharge[]> {
  return stepsOfFirst(chargesAhead([{ state, terms, canPay: true, now, ...more }], balance_minor), count);
}

/** The products, sub-products included, that the charges of one preview show at most, after the first charge. */
const MOST_PRODUCTS = 1200;

/** The first `count` charges, fewer where they show many products; later ones are not computed. */
export function firstOf(all: Iterable<PreviewedCharge>, count: number): PreviewedCharge[] {
  return lastOf(stepsOfFirst(all, count));
}

/** As `firstOf`, a step for each charge. */
export function* stepsOfFirst(
  all: Iterable<PreviewedCharge>,
  count: number,
): Generator<void, PreviewedCharge[]> {
  const first: PreviewedCharge[] = [];
  let products = 0;
  if (count === 0) return first;
  for (const charge of all) {
    first.push(charge);
    products += productsShown(charge);
    if (first.length === count || products >= MOST_PRODUCTS) break;
    yield;
  }
  return first;
}

/** Runs a computation to its end. */
export function lastOf<R>(steps: Iterator<unknown, R>): R {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The number of products in the breakdown of a charge. */
export function productsShown({ breakdown }: PreviewedCharge): number {
  const items = breakdown.parts.flatMap((part) =>
    part.kind === 'period' ? (part.priced_from?.items ?? []) : [],
  );
  return items.reduce((sum, { sub_products }) => sum + 1 + sub_products.length, 0);
}

/**
 * All future charges of subscriptions that share one balance, in order, each computed on demand; endless where a
 * subscription has no end. A payment that is already open is excluded and assumed to succeed now.
 */
export function* chargesAhead(
  inputs: readonly AheadInput[],
  balance_minor = 0,
): Generator<PreviewedCharge, void> {
  const balance = { minor: balance_minor };
  const lookaheads = inputs.map((input) => new Lookahead(input));
  for (let next = nextOf(lookaheads); next !== null; next = nextOf(lookaheads)) {
    const { charge } = next.step(balance);
    if (charge !== null) yield charge;
  }
}

/** The lookahead with the earliest decision; null after the last one. */
function nextOf(lookaheads: readonly Lookahead[]): Lookahead | null {
  let next: { readonly one: Lookahead; readonly due: Date } | null = null;
  for (const one of lookaheads) {
    const { due } = one;
    if (due !== null && (next === null || due < next.due)) next = { one, due };
  }
  return next?.one ?? null;
}
