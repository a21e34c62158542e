import { Injectable } from '@nestjs/common';
import { fault, isFault } from '@commerce/kernel';
import { UnitsOfWork, type Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

import { endDiscount } from '../domain/actions/coupon.js';
import { withdrawChange } from '../domain/actions/change-plan.js';
import type { PreviewedCharge } from '../domain/cycle/preview.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import type { ChangePlanBody, PreviewChangeBody } from './change-plan.dto.js';
import { PlanChangeDecider } from './plan-change-decider.js';
import { PlanChangeCollector, type ChangeOutcome } from './plan-change-collector.js';
import { changeBy, requireOwn } from '../subscriptions/subscription-change.js';
import { SubscriptionWriter } from '../subscriptions/subscription-writer.js';

/** Changes plan and quantity of subscriptions. */
@Injectable()
export class PlanChanger {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly decider: PlanChangeDecider,
    private readonly payments: PlanChangeCollector,
    private readonly units: UnitsOfWork,
    private readonly writer: SubscriptionWriter,
  ) {}

  /**
   * Changes plan and quantity, or schedules that. One that is collected first opens its payment and asks the provider.
   * @throws Fault `role.forbidden` and those of `PlanChangeDecider.decide`
   */
  async change(caller: Caller, id: string, body: ChangePlanBody): Promise<ChangeOutcome> {
    requireOwnWay(caller, body);
    try {
      return await this.changeOnce(caller, id, body);
    } catch (error) {
      // Another request opened the payment of a change first, and is visible now.
      if (!isFault(error, 'payment.exists')) throw error;
      return this.changeOnce(caller, id, body);
    }
  }

  private async changeOnce(caller: Caller, id: string, body: ChangePlanBody): Promise<ChangeOutcome> {
    const own = this.store.for(caller);
    const now = await this.writer.timeOf(await own.get(id));
    const { after, payment } = await this.units.write(
      caller.company,
      async (work) => {
        const before = await own.get(id);
        const decided = await this.decider.decide(caller, before, body);
        return this.payments.write(work, before, decided, caller.role === 'admin');
      },
      now,
    );
    return payment === null
      ? { kind: 'subscription', subscription: await this.writer.queued(after) }
      : this.payments.collect(after, payment);
  }

  /** The charges that follow from a change, beginning with its own. Stores nothing. */
  async preview(caller: Caller, id: string, body: PreviewChangeBody): Promise<readonly PreviewedCharge[]> {
    requireOwnWay(caller, body);
    return this.decider.preview(caller, await this.store.for(caller).get(id), body);
  }

  /**
   * Withdraws a change that is still to come. Billing gives up its payment, if it has one.
   * @throws Fault `subscription.state_conflict` where there is none
   */
  async withdraw(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.writer.change(this.store.for(caller), id, async (before, now) => {
      requireOwn(caller, before, { action: 'withdraw', term: {} });
      const terms = await this.decider.termsOf(before);
      return changeBy(withdrawChange(stateOf(before, terms.plan), terms, now));
    });
  }

  /**
   * Ends the discount of a coupon from the next interval on.
   * @throws Fault `subscription.state_conflict` where there is none
   */
  async endCoupon(caller: Caller, id: string): Promise<SubscriptionRecord> {
    return this.writer.change(this.store.for(caller), id, async (before, now) => {
      const terms = await this.decider.termsOf(before);
      return changeBy(endDiscount(stateOf(before, terms.plan), terms, now));
    });
  }

  /**
   * The answer to a change whose process died after its commit; sends the unsent part of its payment now. `beside`: the
   * records that this commit wrote beside the subscription.
   */
  async resume(caller: Caller, id: string, beside: readonly Id[]): Promise<ChangeOutcome> {
    const subscription = await this.store.for(caller).get(id);
    const payment = await this.payments.among(subscription, beside);
    return payment === null
      ? { kind: 'subscription', subscription }
      : this.payments.collect(subscription, payment);
  }
}

/** Only the company gives money back to a card, or service before it is paid. */
function requireOwnWay({ role }: Caller, { credit, collect }: ChangePlanBody): void {
  if (role === 'admin') return;
  if (credit === 'refund') throw adminOnly('credit', credit);
  if (collect === 'later') throw adminOnly('collect', collect);
}

function adminOnly(path: string, value: string): Error {
  const message = `${path} can only be ${value} where an admin asks for it`;
  return fault('role.forbidden', message, { errors: [{ path, code: 'role.forbidden', message }] });
}
