import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

import { endDiscount } from '../domain/actions/coupon.js';
import { withdrawChange } from '../domain/actions/change-plan.js';
import type { Ahead } from '../domain/ahead/ahead.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import type { SubscriptionOutcome } from '../subscriptions/quote-writer.js';
import { QuoteProcessor } from '../subscriptions/quote-processor.js';
import { changeBy, requireOwn } from '../subscriptions/subscription-change.js';
import { SubscriptionWriter } from '../subscriptions/subscription-writer.js';
import type { ChangePlanBody, PreviewChangeBody } from './change-plan.dto.js';
import { PlanChangeDecider } from './plan-change-decider.js';

/** The charges and refunds that a change leads to. */
export type PreviewedChange = Pick<Ahead, 'charges' | 'refunds' | 'outstanding_amount'>;

/** Changes plan and quantity of subscriptions. */
@Injectable()
export class PlanChanger {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly decider: PlanChangeDecider,
    private readonly quotes: QuoteProcessor,
    private readonly writer: SubscriptionWriter,
  ) {}

  /**
   * Changes plan and quantity, or schedules that. One that is collected first opens its payment and asks the provider.
   * @throws Fault `role.forbidden` and those of `PlanChangeDecider.decide`
   */
  async change(caller: Caller, id: string, body: ChangePlanBody): Promise<SubscriptionOutcome> {
    requireOwnWay(caller, body);
    return this.quotes.change(this.store.for(caller), id, async (before) => ({
      ...(await this.decider.decide(caller, before, body)),
      offSession: caller.role === 'admin',
    }));
  }

  /** The charges and refunds that follow from a change, beginning with its own. Stores nothing. */
  async preview(caller: Caller, id: string, body: PreviewChangeBody): Promise<PreviewedChange> {
    requireOwnWay(caller, body);
    const { charges, refunds, outstanding_amount } = await this.decider.preview(
      caller,
      await this.store.for(caller).get(id),
      body,
    );
    return { charges, refunds, outstanding_amount };
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

  /** The answer to a change whose process died after its commit (see QuoteProcessor.resume). */
  resume(caller: Caller, id: string, beside: readonly Id[]): Promise<SubscriptionOutcome> {
    return this.quotes.resume(this.store.for(caller), id, beside);
  }
}

/** Only the company gives money back to a card, or service before it is paid. */
function requireOwnWay({ role }: Caller, { credit, collect, setup_fee }: ChangePlanBody): void {
  if (role === 'admin') return;
  if (credit === 'refund') throw adminOnly('credit', credit);
  if (collect === 'later') throw adminOnly('collect', collect);
  if (setup_fee === 'waive') throw adminOnly('setup_fee', setup_fee);
}

function adminOnly(path: string, value: string): Error {
  const message = `${path} can only be ${value} where an admin asks for it`;
  return fault('role.forbidden', message, { errors: [{ path, code: 'role.forbidden', message }] });
}
