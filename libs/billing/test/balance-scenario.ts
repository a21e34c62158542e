import { shareOf, toMajor, withCreditPart } from '@commerce/kernel';

import type { Charge } from '../src/domain/cycle/decision.js';
import { coversNextCharge, type PreviewedCharge } from '../src/domain/ahead/lookahead.js';
import type { PaymentKey } from '../src/domain/lines/payment-key.js';
import { ChangingScenario } from './changing-scenario.js';
import { nameOf } from './scenario-text.js';

/** A scenario whose charges take from the balance of the customer before the card. */
export class BalanceScenario extends ChangingScenario {
  private readonly applied = new Map<string, number>();

  /** The balance alone can end a trial, too. */
  protected override readonly canPayNow = (): boolean => {
    const { current: state, currentTerms: terms, now, holdingOf } = this;
    return this.canPay || coversNextCharge({ state, terms, now, holdingOf }, this.balance_minor);
  };

  protected override open(charge: Charge, now: Date): void {
    const cards = { minimum_minor: 0, canPay: true };
    const { applied_minor } = shareOf(charge.amount_minor, this.balance_minor, cards);
    this.balance_minor -= applied_minor;
    this.applied.set(nameOf(charge), applied_minor);
    super.open(charge, now);
  }

  /** The part of a payment that the balance paid, in minor units. */
  protected appliedTo(key: PaymentKey): number {
    return this.applied.get(nameOf(key)) ?? 0;
  }

  /** The charges, the first first, in the form of a preview. */
  get charged(): PreviewedCharge[] {
    return this.payments.map(({ key, at: date, charge }) => {
      const { kind, period_start, period_end } = charge;
      const applied_minor = this.applied.get(key) ?? 0;
      const breakdown = withCreditPart(charge.breakdown, applied_minor);
      const { amount, currency } = breakdown;
      const credit_applied = toMajor(applied_minor, currency);
      return { date, amount, credit_applied, kind, period_start, period_end, breakdown };
    });
  }
}
