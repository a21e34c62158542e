import type { Breakdown } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import type { ChargeKind, PaymentKey } from '../receivable/open-payment.js';
import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import { paymentsToChange, type RestOf } from '../receivable/changed-periods.js';
import { decideCycle } from './cycle.js';
import { settleCharge } from './settle.js';

export interface PreviewedCharge {
  readonly date: Date;
  /** Major units. */
  readonly amount: number;
  readonly kind: ChargeKind;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
}

export interface AheadOptions {
  /** An amount below the card provider's minimum joins the next charge. */
  readonly minimum_minor?: number;
  /** The rest of the payments that a change may credit; left out, nothing was given back by a person. */
  readonly restOf?: RestOf;
}

/** A bound on the other decisions between two charges; real histories stay far below it. */
const DECISIONS_PER_CHARGE = 16;

/** The next `count` charges, assuming that each succeeds on its date: the same decisions that billing will make. */
export function previewCharges(
  state: SubscriptionState,
  terms: Terms,
  now: Date,
  count: number,
  options: AheadOptions = {},
): PreviewedCharge[] {
  return firstOf(chargesAhead(state, terms, true, now, options), count);
}

/** The first `count` charges; later ones are not computed. */
export function firstOf(all: Iterable<PreviewedCharge>, count: number): PreviewedCharge[] {
  const first: PreviewedCharge[] = [];
  if (count === 0) return first;
  for (const charge of all) {
    first.push(charge);
    if (first.length === count) break;
  }
  return first;
}

/**
 * All future charges in order, each computed on demand; endless where the subscription has no end. A payment that is
 * already open is excluded and assumed to succeed now.
 */
export function* chargesAhead(
  state: SubscriptionState,
  terms: Terms,
  canPay: boolean,
  now: Date,
  { minimum_minor = 0, restOf = () => Infinity }: AheadOptions = {},
): Generator<PreviewedCharge, void> {
  const paid = new Set(paymentsToChange(state.receivable).map(nameOf));
  const rest: RestOf = (key) => (paid.has(nameOf(key)) ? restOf(key) : Infinity);
  let at = now;
  let ahead = settled(state, terms, at, false);
  for (let left = DECISIONS_PER_CHARGE; left > 0; left -= 1) {
    const { due } = ahead.derived;
    if (due === null) return;
    at = due > at ? due : at;
    const decision = decideCycle(ahead, terms.for(ahead.subscribed), canPay, at, rest);
    if (decision.do === 'nothing') return;
    const left_out = decision.do === 'charge' && isTooLittle(decision.charge.amount_minor, minimum_minor);
    ahead = settled(decision.state, terms, at, left_out);
    if (decision.do !== 'charge' || left_out) continue;
    const { kind, period_start, period_end, breakdown } = decision.charge;
    yield { date: at, amount: breakdown.amount, kind, period_start, period_end, breakdown };
    left = DECISIONS_PER_CHARGE;
  }
}

function nameOf({ kind, slice }: PaymentKey): string {
  return `${kind}/${slice}`;
}

function isTooLittle(amount_minor: number, minimum_minor: number): boolean {
  return amount_minor > 0 && amount_minor < minimum_minor;
}

/** The state once its open payment has succeeded, or was too small to be charged. */
function settled(
  state: SubscriptionState,
  terms: Terms,
  at: Date,
  below_minimum: boolean,
): SubscriptionState {
  const { open_payment: open } = state.receivable;
  if (open === null) return state;
  const { kind, slice, attempts, amount_minor } = open;
  const status = below_minimum ? 'FAILED' : 'SUCCEEDED';
  const result = { kind, slice, status, decline: null, below_minimum, attempts, amount_minor } as const;
  return settleCharge(state, terms.for(state.subscribed), result, at).state;
}
