import { shareOf, toMajor, withCreditPart } from '@commerce/kernel';

import type { Breakdown } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import type { Refund } from '../receivable/credit.js';
import { paymentsToChange, type RestOf } from '../receivable/changed-periods.js';
import type { ChargeKind, PaymentKey } from '../receivable/open-payment.js';
import type { SubscriptionState } from '../lifecycle/subscription-state.js';
import { decideCycle } from './cycle.js';
import type { Charge } from './decision.js';
import { settleCharge } from './settle.js';

export interface PreviewedCharge {
  readonly date: Date;
  /** The part for the card, major units. */
  readonly amount: number;
  /** The part that the customer's balance pays, major units. */
  readonly credit_applied: number;
  readonly kind: ChargeKind;
  readonly period_start: Date;
  readonly period_end: Date;
  readonly breakdown: Breakdown;
}

/** A subscription to look ahead from, and the least that the card provider charges. */
export interface AheadInput {
  readonly state: SubscriptionState;
  readonly terms: Terms;
  readonly canPay: boolean;
  readonly now: Date;
  readonly minimum_minor?: number;
  /** The rest of the payments that a change may credit; left out, nothing was given back by a person. */
  readonly restOf?: RestOf;
}

/** The balance of a customer, as the decisions of all lookaheads that share it leave it. */
export interface BalanceAhead {
  minor: number;
}

/** A bound on the other decisions between two charges; real histories stay far below it. */
const DECISIONS_PER_CHARGE = 16;

/**
 * The decisions that billing will make for one subscription, one at a time. Each charge succeeds on its date; a payment
 * that is open now succeeds now.
 */
export class Lookahead {
  private state: SubscriptionState;
  private at: Date;
  private left = DECISIONS_PER_CHARGE;
  /** The part that the card paid of the charges to which the balance contributed, less refunds. */
  private readonly byCard = new Map<string, number>();

  private readonly restOf: RestOf;

  constructor(private readonly input: AheadInput) {
    const { state, restOf = () => Infinity } = input;
    const paid = new Set(paymentsToChange(state.receivable).map(nameOf));
    this.restOf = (key) => (paid.has(nameOf(key)) ? restOf(key) : Infinity);
    this.at = input.now;
    this.state = settled(input.state, input.terms, input.now, false);
  }

  /** The date of the next decision; null after the last one. */
  get due(): Date | null {
    const { due } = this.state.derived;
    if (due === null || this.left === 0) return null;
    return due > this.at ? due : this.at;
  }

  /** Makes the decision that is due next. Null unless it leads to a charge. */
  step(balance: BalanceAhead): PreviewedCharge | null {
    const { terms, canPay } = this.input;
    this.at = this.due ?? this.at;
    const decision = decideCycle(this.state, terms.for(this.state.subscribed), canPay, this.at, this.restOf);
    this.left = decision.do === 'nothing' ? 0 : this.left - 1;
    if (decision.do === 'nothing') return null;
    if (decision.do === 'refund') {
      for (const refund of decision.refunds) balance.minor += this.toBalance(refund);
    }
    const charge = decision.do === 'charge' ? this.collect(decision.charge, balance) : null;
    this.state = settled(decision.state, terms, this.at, charge === null);
    if (charge !== null) this.left = DECISIONS_PER_CHARGE;
    return charge;
  }

  /** Takes what the balance pays. Null where the rest is below the minimum: the charge joins the next. */
  private collect(charge: Charge, balance: BalanceAhead): PreviewedCharge | null {
    const { kind, amount_minor, period_start, period_end } = charge;
    const { minimum_minor = 0 } = this.input;
    const share = shareOf(amount_minor, balance.minor, { minimum_minor, canPay: true });
    const { applied_minor, rest_minor } = share;
    if (rest_minor > 0 && rest_minor < minimum_minor) return null;
    balance.minor -= applied_minor;
    if (applied_minor > 0) this.byCard.set(nameOf(charge), rest_minor);
    const breakdown = withCreditPart(charge.breakdown, applied_minor);
    const { amount, currency } = breakdown;
    const credit_applied = toMajor(applied_minor, currency);
    return { date: this.at, amount, credit_applied, kind, period_start, period_end, breakdown };
  }

  /** The part of a refund that goes to the balance: all of it, or the part that the card did not pay. */
  private toBalance({ payment, amount_minor, to }: Refund): number {
    if (to === 'balance') return amount_minor;
    const key = nameOf(payment);
    const card_minor = Math.min(amount_minor, this.byCard.get(key) ?? amount_minor);
    if (this.byCard.has(key)) this.byCard.set(key, (this.byCard.get(key) ?? 0) - card_minor);
    return amount_minor - card_minor;
  }
}

function nameOf({ kind, slice }: PaymentKey): string {
  return `${kind}/${slice}`;
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
