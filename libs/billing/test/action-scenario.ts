import { toMajor } from '@commerce/kernel';

import {
  pauseSubscription,
  startSubscription,
  stopSubscription,
  type StartInput,
} from '../src/domain/actions/actions.js';
import { ahead, type Ahead } from '../src/domain/ahead/ahead.js';
import type { PreviewedRefund } from '../src/domain/ahead/lookahead.js';
import type { SubscriptionState } from '../src/domain/lifecycle/subscription-state.js';
import type { Transition } from '../src/domain/lifecycle/transition.js';
import type { Refund } from '../src/domain/lines/period-credits.js';
import type { PaymentKey } from '../src/domain/lines/payment-key.js';
import { BalanceScenario } from './balance-scenario.js';
import { date, nameOf, textOf } from './scenario-text.js';

const BOUNDS = { count: 36, most: 400 };

/** A scenario that previews its start, stop and pause, and notes what is given back. */
export class ActionScenario extends BalanceScenario {
  readonly refunds: PreviewedRefund[] = [];
  cancelledAt: Date | null = null;
  private readonly toCard = new Map<string, number>();

  previewStart(given: Partial<StartInput> = {}, bounds = BOUNDS): Ahead {
    const input = { new_payment_method: false, ...given };
    return this.preview(startSubscription(this.current, this.currentTerms, input, this.now).state, bounds);
  }

  previewStop(ending?: string, bounds = BOUNDS): Ahead {
    const input = { ending_date: ending === undefined ? null : date(ending) };
    const { state } = stopSubscription(this.current, this.currentTerms, input, this.now);
    return this.preview(state, bounds);
  }

  previewPause(resume?: string): Ahead {
    const input = { resume_at: resume === undefined ? null : date(resume) };
    return this.preview(pauseSubscription(this.current, this.currentTerms, input, this.now).state, BOUNDS);
  }

  /** A person gives a share of each payment back to its card. */
  giveBackShare(share: number): void {
    for (const payment of this.payments) {
      const minor = Math.min(Math.floor(payment.paid_minor * share), this.cardRestOf(payment.charge));
      payment.refunded_minor += minor;
      this.toCard.set(payment.key, (this.toCard.get(payment.key) ?? 0) + minor);
    }
  }

  private preview(state: SubscriptionState, bounds: typeof BOUNDS): Ahead {
    const { currentTerms: terms, canPay, now, holdingOf, cardRestOf } = this;
    return ahead({ state, terms, canPay, now, holdingOf, cardRestOf }, this.balance_minor, bounds);
  }

  private readonly cardRestOf = (key: PaymentKey): number => {
    const { charge } = this.find(key);
    const given = this.toCard.get(nameOf(key)) ?? 0;
    const paid = charge.amount_minor - this.appliedTo(key) - given;
    return Math.min(paid, this.holdingOf(key).free);
  };

  protected override refund({ payment: key, amount_minor, to }: Refund, now: Date): void {
    const payment = this.find(key);
    const given = Math.min(amount_minor, this.holdingOf(key).free);
    const card = to === 'balance' ? 0 : Math.min(given, this.cardRestOf(key));
    payment.refunded_minor += given;
    this.balance_minor += given - card;
    this.toCard.set(nameOf(key), (this.toCard.get(nameOf(key)) ?? 0) + card);
    const { currency } = this.plan;
    const [amount, to_balance] = [toMajor(card, currency), toMajor(given - card, currency)];
    if (given > 0) this.refunds.push({ date: now, amount, to_balance });
  }

  protected override apply(transition: Transition, now: Date): void {
    super.apply(transition, now);
    if (this.current.status === 'CANCELLED') this.cancelledAt ??= now;
  }
}

/** The facts of a preview without money or debt. */
export const NOTHING = { charges: [], refunds: [], outstanding_amount: 0 };

/** A preview as a test compares it: dates by their day. */
export const facts = ({ charges, refunds, cancelled_at, prorate_amount, outstanding_amount }: Ahead) => ({
  charges: charges.map(({ date: at, amount }) => [textOf(at), amount]),
  refunds: refunds.map(({ date: at, amount, to_balance }) => [textOf(at), amount, to_balance]),
  cancelled: cancelled_at && textOf(cancelled_at),
  prorate_amount,
  outstanding_amount,
});
