import { Injectable } from '@nestjs/common';
import { BusinessClock, type Instants } from '@commerce/identity';
import { fault, isFault } from '@commerce/kernel';
import type { Caller } from '@commerce/data';

import { lookAhead } from '../customers/look-ahead.js';
import { changePlan, type PlanChange } from '../domain/actions/change-plan.js';
import { customerChangeDate, isCheaper } from '../domain/actions/customer-change.js';
import type { Ahead } from '../domain/ahead/ahead.js';
import { discounted, type Discount } from '../domain/pricing/discount.js';
import { requireChargeable } from '../domain/pricing/pricing.js';
import type { Terms } from '../domain/pricing/terms.js';
import { collecting } from '../domain/receivable/open-payments.js';
import { paymentsInBooks } from '../domain/receivable/accounts.js';
import type { HoldingOf } from '../domain/lines/credit.js';
import { stateOf } from '../subscription-record/subscription-state.adapter.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import type { ChangePlanBody, PreviewChangeBody } from './change-plan.dto.js';
import { SubscriberGuard } from '../customers/subscriber-guard.js';
import { requireFirstCharge } from '../customers/first-charge.js';
import { requireAllowedChange } from '../customers/limits.js';
import { deciderOf, requireOwn } from '../subscriptions/subscription-change.js';
import { RefundableReader } from '../subscriptions/refundable-reader.js';
import { TermsReader, subscribed, type PlanQuantity } from '../terms/terms-reader.js';

/** A decision, and its inputs. */
export interface DecidedChange {
  readonly decided: PlanChange;
  readonly terms: Terms;
  readonly instants: Instants;
  readonly holdingOf: HoldingOf;
}

/** Default number of charges in a preview. */
const PREVIEWED = 12;

/** Decides on changes of plan and quantity; writes nothing. */
@Injectable()
export class PlanChangeDecider {
  constructor(
    private readonly terms: TermsReader,
    private readonly rests: RefundableReader,
    private readonly guard: SubscriberGuard,
    private readonly time: BusinessClock,
  ) {}

  /**
   * @throws Faults of `changePlan`, `customerChangeDate`, `requireOwn`, `requireNoDebt` and `requireFirstCharge`; `plan.unknown`;
   * `customer.not_allowed`; `amount.invalid` where the quantity makes the price too large
   */
  async decide(
    caller: Pick<Caller, 'company' | 'role'>,
    before: SubscriptionRecord,
    { plan, quantity, at, collect, credit, coupon, setup_fee }: ChangePlanBody,
  ): Promise<DecidedChange> {
    const { role } = caller;
    requireOwn(caller, before, { action: 'change', term: {} });
    const to: PlanQuantity = { plan: plan ?? before.plan, quantity: quantity ?? before.quantity };
    if (plan != null) await this.terms.requirePlan(before, caller, plan);
    const terms = await this.terms.forOne(before.company, before, [to]);
    const next = terms.for(subscribed(to));
    const instants = await this.time.instants(before.company, before.test_clock);
    requireChargeable(next.plan, next.price(instants.business));
    const state = stateOf(before, terms.plan);
    const holdingOf = await this.rests.read(before, paymentsInBooks(state));
    const discount = await this.discountOf(before, to, coupon ?? null, instants.business);
    const money = await this.guard.moneyOf(before);
    const input = {
      subscribed: subscribed(to),
      set_by: deciderOf(caller),
      at: role === 'admin' ? (at ?? 'now') : customerChangeDate(state, [terms.plan, next.plan], at ?? null),
      collect: collect ?? (role === 'admin' ? 'later' : 'first'),
      credit: credit ?? 'balance',
      waives_setup: setup_fee === 'waive',
      ...discounted(discount),
      minimum_minor: Math.max(1, money.minimum_minor),
    };
    requireAllowedChange(
      await this.guard.settingsFor(caller),
      { before, state, terms, now: instants.business },
      { next, at: input.at },
    );
    const isMore = (): boolean => isCheaper(next, terms, instants.business);
    await this.guard.requireNoDebt(caller, { user: before.user, isMore });
    try {
      const decided = changePlan(state, terms, input, holdingOf, instants.business);
      const of = { state: decided.state, terms, now: instants.business };
      const ahead = { ...of, canPay: true, holdingOf, ...money };
      if (decided.charge === null) requireFirstCharge(caller, ahead);
      if (coupon != null) await this.guard.requireMethodForCoupon(caller, before, decided.state);
      return { decided, terms, instants, holdingOf };
    } catch (error) {
      const open = collecting(state.receivable.open_payments);
      if (open === null || !isFault(error, 'payment.open')) throw error;
      const { _id } = await this.rests.payment(before, open);
      throw fault(error.code, error.message, { payment: _id.toHexString() });
    }
  }

  private async discountOf(
    { _id: holder, company, user, test_clock, redeemed_coupons: redeemed }: SubscriptionRecord,
    { plan }: PlanQuantity,
    code: string | null,
    now: Date,
  ): Promise<Discount | undefined> {
    if (code === null) return undefined;
    return this.terms.discount(company, plan, code, { now, test_clock, user, holder, redeemed });
  }

  /** The terms of a subscription for decisions that need no price. */
  termsOf(before: SubscriptionRecord): Promise<Terms> {
    return this.terms.withoutPrice(before.company, before);
  }

  /** The charges and refunds that follow from a change, beginning with its own. */
  async preview(caller: Caller, before: SubscriptionRecord, body: PreviewChangeBody): Promise<Ahead> {
    const { decided, terms, instants } = await this.decide(caller, before, {
      ...body,
      collect: 'later',
    });
    const { state } = decided;
    const rests = await this.rests.rests(before, paymentsInBooks(state));
    const ahead = { state, terms, canPay: true, now: instants.business, ...rests };
    const money = await this.guard.moneyOf(before);
    return lookAhead({ ...ahead, ...money }, { count: body.count ?? PREVIEWED });
  }
}
