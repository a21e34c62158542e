import { toMajor, toMinor } from '@commerce/kernel';
import { subscribedOf } from '../src/domain/lifecycle/subscription-state.js';

import {
  changePlan,
  withdrawChange,
  type PlanChange,
  type PlanChangeInput,
} from '../src/domain/actions/change-plan.js';
import type { PreviewedCharge } from '../src/domain/ahead/lookahead.js';
import { previewCharges } from './previewed-charges.js';
import { startSubscription } from '../src/domain/actions/actions.js';
import { startWhenPaid } from '../src/domain/actions/start-when-paid.js';
import { endDiscount } from '../src/domain/actions/coupon.js';
import type { HoldingOf } from '../src/domain/lines/credit.js';
import type { Refund } from '../src/domain/lines/period-credits.js';
import type { PaymentKey } from '../src/domain/lines/payment-key.js';
import type { Subscribed } from '../src/domain/pricing/terms.js';
import { date, nameOf } from './scenario-text.js';
import { Scenario } from './scenario.js';

/** A scenario whose subscription changes plan and quantity. */
export class ChangingScenario extends Scenario {
  /** Keys of the payments whose money a dispute holds. */
  readonly disputed = new Set<string>();

  protected override readonly holdingOf: HoldingOf = (key) => {
    const rest = this.rest(key);
    return this.disputed.has(nameOf(key)) ? { free: 0, disputed: rest } : { free: rest, disputed: 0 };
  };

  private rest(key: PaymentKey): number {
    const { paid_minor, refunded_minor } = this.find(key);
    return paid_minor - refunded_minor;
  }

  /** What a dispute holds is owed: it counts as given back. */
  protected override refund(refund: Refund, now: Date): void {
    const { payment: key, amount_minor } = refund;
    if (!this.disputed.has(nameOf(key))) {
      super.refund(refund, now);
      return;
    }
    if (amount_minor > this.rest(key)) throw new Error(`${nameOf(key)} owes ${amount_minor}`);
    this.find(key).refunded_minor += amount_minor;
    this.note(now, `owed ${nameOf(key)} ${toMajor(amount_minor, this.plan.currency).toFixed(2)}`);
  }

  changePlan(at: string, to: Partial<Subscribed>, more: Partial<PlanChangeInput> = {}): this {
    const { charge, ...transition } = this.decideChange(at, to, more);
    this.apply(transition, this.now);
    if (charge !== null) this.open(charge, this.now);
    return this;
  }

  /** Starts once the first charge is paid. */
  startWhenPaid(at: string): this {
    if (this.state === null) this.create(at);
    this.now = date(at);
    const { current } = this;
    if (current.status !== 'CREATED') throw new Error('it has started');
    const input = { set_by: 'USER', minimum_minor: 1 } as const;
    const terms = this.currentTerms;
    const started = startSubscription(current, terms, { new_payment_method: false }, this.now);
    const { charge, ...transition } = startWhenPaid(current, started, terms, input, this.now);
    this.apply(transition, this.now);
    if (charge !== null) this.open(charge, this.now);
    return this;
  }

  /** The next charges after such a change, which is not made, before the balance pays part of them. */
  previewChange(at: string, to: Partial<Subscribed>, more: Partial<PlanChangeInput> = {}): PreviewedCharge[] {
    const { state } = this.decideChange(at, to, { ...more, collect: 'later' });
    const { now, holdingOf } = this;
    return previewCharges(state, this.terms.for(subscribedOf(state)), now, 6, { holdingOf }).map(
      withoutBalance,
    );
  }

  private decideChange(at: string, to: Partial<Subscribed>, more: Partial<PlanChangeInput>): PlanChange {
    this.now = date(at);
    const subscribed = subscribedOf(this.current);
    const plan = to.plan === undefined ? subscribed.plan : (this.plans.get(to.plan) ?? this.first.plan);
    const input: PlanChangeInput = {
      subscribed: { plan, quantity: to.quantity ?? subscribed.quantity },
      at: 'now',
      collect: 'later',
      credit: 'balance',
      minimum_minor: 0,
      ...more,
    };
    return changePlan(this.current, this.currentTerms, input, this.holdingOf, this.now);
  }

  endDiscount(at: string): this {
    return this.move(at, (now) => endDiscount(this.current, this.currentTerms, now));
  }

  withdraw(at: string): this {
    return this.move(at, (now) => withdrawChange(this.current, this.currentTerms, now));
  }

  /** A person gives back part of a payment. */
  giveBack(key: string, amount: number): this {
    const payment = this.payments.find((one) => one.key === key);
    if (payment === undefined) throw new Error(`there is no payment ${key}`);
    payment.refunded_minor += toMinor(amount, this.plan.currency);
    return this;
  }
}

function withoutBalance(charge: PreviewedCharge): PreviewedCharge {
  const { breakdown, amount: by_card, credit_applied } = charge;
  const { currency, parts } = breakdown;
  const amount = toMajor(toMinor(by_card, currency) + toMinor(credit_applied, currency), currency);
  const whole = { ...breakdown, amount, parts: parts.filter(({ kind }) => kind !== 'credit') };
  return { ...charge, amount, credit_applied: 0, breakdown: whole };
}
