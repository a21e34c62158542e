import { shareOf, toMajor, toMinor, withCreditPart } from '@commerce/kernel';

import type { Breakdown } from '../pricing/breakdown.js';
import type { Terms } from '../pricing/terms.js';
import type { Holding, HoldingOf } from '../lines/credit.js';
import type { Refund } from '../lines/period-credits.js';
import type { ChargeKind, PaymentKey } from '../lines/payment-key.js';
import { isCancelledInPause, subscribedOf, type SubscriptionState } from '../lifecycle/subscription-state.js';
import { chargesOf } from '../receivable/open-payments.js';
import { decideCycle } from '../cycle/cycle.js';
import type { Charge } from '../cycle/decision.js';
import { RestsAhead } from './rests-ahead.js';
import { settleCharge } from '../cycle/settle.js';

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

/** A refund of a settlement, to the card that paid and to the customer's balance. */
export interface PreviewedRefund {
  readonly date: Date;
  /** The part for the card, major units. */
  readonly amount: number;
  /** The part for the balance, major units. */
  readonly to_balance: number;
}

/** The money of one decision: one charge at most. */
export interface StepAhead {
  readonly charge: PreviewedCharge | null;
  readonly refunds: readonly PreviewedRefund[];
}

const NO_MONEY: StepAhead = { charge: null, refunds: [] };

/** A subscription to look ahead from, and the least that the card provider charges. */
export interface AheadInput {
  readonly state: SubscriptionState;
  readonly terms: Terms;
  /** The subscription has a usable payment method; the balance alone can end a trial, too. */
  readonly canPay: boolean;
  readonly now: Date;
  readonly minimum_minor?: number;
  /** The money of the payments that may be credited; left out, nothing was given back by a person. */
  readonly holdingOf?: HoldingOf;
  /** The part of that rest which the card paid; left out, all of it. */
  readonly cardRestOf?: (payment: PaymentKey) => number;
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
  private readonly rests: RestsAhead;

  constructor(private readonly input: AheadInput) {
    const { state, terms, now, holdingOf = wholePayment, cardRestOf = unlimited } = input;
    this.rests = new RestsAhead(state, holdingOf, cardRestOf);
    this.at = now;
    this.state = settled(state, terms, now, false);
  }

  /** The subscription as the decisions so far leave it. */
  get current(): SubscriptionState {
    return this.state;
  }

  /** The date of the next decision; null after the last one. */
  get due(): Date | null {
    const { due } = this.state.derived;
    if (due === null || this.left === 0) return null;
    return due > this.at ? due : this.at;
  }

  /** Makes the decision that is due next. */
  step(balance: BalanceAhead): StepAhead {
    const { terms } = this.input;
    this.at = this.due ?? this.at;
    const canPay = this.canPay(balance);
    const own = terms.for(subscribedOf(this.state));
    const decision = decideCycle(this.state, own, canPay, this.at, this.rests.holdingOf);
    this.left = decision.do === 'nothing' ? 0 : this.left - 1;
    if (decision.do === 'nothing') return NO_MONEY;
    const refunds = 'refunds' in decision ? this.giveBack(decision.refunds, balance) : [];
    const charge = decision.do === 'charge' ? this.collect(decision.charge, balance) : null;
    this.state = settled(decision.state, terms, this.at, charge === null);
    if (charge !== null) this.left = DECISIONS_PER_CHARGE;
    return { charge, refunds };
  }

  private canPay({ minor }: BalanceAhead): boolean {
    const { state, at: now, input } = this;
    if (input.canPay || !('in_trial' in state && state.in_trial)) return true;
    return coversNextCharge({ state, terms: input.terms, now, holdingOf: this.rests.holdingOf }, minor);
  }

  /** Takes what the balance pays. Null where the rest is below the minimum: the charge joins the next. */
  private collect(charge: Charge, balance: BalanceAhead): PreviewedCharge | null {
    const { kind, amount_minor, period_start, period_end } = charge;
    const { minimum_minor = 0 } = this.input;
    const share = shareOf(amount_minor, balance.minor, { minimum_minor, canPay: true });
    const { applied_minor, rest_minor } = share;
    if (rest_minor > 0 && rest_minor < minimum_minor) return null;
    balance.minor -= applied_minor;
    this.rests.collect(charge, amount_minor, rest_minor);
    const breakdown = withCreditPart(charge.breakdown, applied_minor);
    const { amount, currency } = breakdown;
    const credit_applied = toMajor(applied_minor, currency);
    return { date: this.at, amount, credit_applied, kind, period_start, period_end, breakdown };
  }

  private giveBack(refunds: readonly Refund[], balance: BalanceAhead): PreviewedRefund[] {
    const { currency } = this.state.receivable;
    const given: PreviewedRefund[] = [];
    for (const refund of refunds) {
      const { card_minor, balance_minor } = this.rests.giveBack(refund);
      balance.minor += balance_minor;
      const [amount, to_balance] = [toMajor(card_minor, currency), toMajor(balance_minor, currency)];
      if (card_minor + balance_minor > 0) given.push({ date: this.at, amount, to_balance });
    }
    return given;
  }
}

/** Whether a balance pays the whole next charge, so that a trial can end without a payment method. */
export function coversNextCharge(
  input: Pick<AheadInput, 'state' | 'terms' | 'now' | 'holdingOf'>,
  balance_minor: number,
): boolean {
  if (balance_minor === 0) return false;
  const ahead = new Lookahead({ ...input, canPay: true });
  while (ahead.due !== null) {
    const { charge } = ahead.step({ minor: 0 });
    if (charge !== null) return toMinor(charge.amount, charge.breakdown.currency) <= balance_minor;
  }
  return false;
}

function wholePayment(): Holding {
  return { free: Infinity, disputed: 0 };
}

function unlimited(): number {
  return Infinity;
}

/** The state once its open charges have succeeded, or were too small to be charged. Nobody pays for a quote. */
function settled(
  state: SubscriptionState,
  terms: Terms,
  at: Date,
  below_minimum: boolean,
): SubscriptionState {
  // Billing gives up the open payments of a subscription that is over.
  const isOver = state.status === 'CANCELLED' && !isCancelledInPause(state);
  if (isOver) return state;
  return chargesOf(state.receivable.open_payments).reduce<SubscriptionState>((before, open) => {
    const { kind, period_key, attempts, amount_minor } = open;
    const status = below_minimum ? 'FAILED' : 'SUCCEEDED';
    const result = {
      kind,
      period_key,
      status,
      decline: null,
      below_minimum,
      attempts,
      amount_minor,
    } as const;
    return settleCharge(before, terms.for(subscribedOf(before)), result, at).state;
  }, state);
}
