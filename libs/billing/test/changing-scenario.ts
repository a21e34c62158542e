import { toMinor } from '@commerce/kernel';

import { changePlan, withdrawChange, type PlanChangeInput } from '../src/domain/actions/change-plan.js';
import type { Subscribed } from '../src/domain/pricing/terms.js';
import { date } from './scenario-text.js';
import { Scenario } from './scenario.js';

/** A scenario whose subscription changes plan and quantity. */
export class ChangingScenario extends Scenario {
  /** Changes plan or quantity; `then` is the outcome of the charge of a change that waits for it. */
  changePlan(at: string, to: Partial<Subscribed>, more: Partial<PlanChangeInput> = {}): this {
    this.now = date(at);
    const { now } = this;
    const { subscribed } = this.current;
    const plan = to.plan === undefined ? subscribed.plan : (this.plans.get(to.plan) ?? this.first.plan);
    const input: PlanChangeInput = {
      subscribed: { plan, quantity: to.quantity ?? subscribed.quantity },
      at: 'now',
      collect: 'later',
      credit: 'balance',
      minimum_minor: 0,
      ...more,
    };
    const { charge, ...transition } = changePlan(this.current, this.currentTerms, input, this.restOf, now);
    this.apply(transition, now);
    if (charge !== null) this.open(charge, now);
    return this;
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
