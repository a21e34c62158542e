import { Injectable } from '@nestjs/common';
import {
  Companies,
  taxBuyerOf,
  taxSellerOf,
  type CustomerSettings,
  type TaxedUser,
} from '@commerce/identity';
import { TaxBuyerReader } from '@commerce/payments';
import type { Caller } from '@commerce/data';
import { LookupCache } from '@commerce/platform';
import { distinctIds, parseId, sameId, type Id } from '@commerce/records';

import type { TaxBuyer } from '@commerce/kernel';
import { discounted, discountOn, type Discount } from '../domain/pricing/discount.js';
import { requireChargeable, type PlanPriceInput } from '../domain/pricing/pricing.js';
import type { CompanyTerms, PlanTerms, SetupFee, Subscribed, Terms } from '../domain/pricing/terms.js';
import { PlanPricer, type PriceBook, type PriceSettings } from '../plans/plan-pricer.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { PlanStore } from '../plans/plan.store.js';
import { taxedSetupFee } from '../plans/plan-tax.js';
import { planTermsOf } from '../plans/plan-terms.js';
import { DiscountReader, type CouponUse } from './discount-reader.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';

/** The terms of a plan were not read together with those of the subscription. */
export class PlanNotRead extends Error {
  constructor(plan: string) {
    super(`The terms of the plan ${plan} were not read`);
  }
}

/** A plan and the quantity of it: two fields of a subscription. */
export interface PlanQuantity {
  readonly plan: Id;
  readonly quantity: number;
  /** Its discount, where it has one. */
  readonly discount_terms?: Discount | null;
}

/** A subscription, whose state may name other plans: those before a change that is not settled, and after one to come. */
export type NamesPlans = PlanQuantity &
  Partial<Pick<SubscriptionRecord, 'pending_change' | 'periods' | 'user' | 'payment_method'>>;

/** Returns the terms of a plan and quantity, or throws the reason why they could not be read. */
export type TermsOf = (subscribed: PlanQuantity) => Terms;

/**
 * The customer, null for one that is not known, who counts as one of the seller's country; the payment method that is
 * charged; and the present.
 */
interface ChargedNow {
  readonly user: TaxedUser | null;
  readonly payment_method: Id | null;
  readonly now: Date;
}

type CompanyCaller = Pick<Caller, 'company' | 'role'>;
type OwnPlan = Pick<SubscriptionRecord, 'company' | 'plan'>;
type StoredPlan = PlanRecord & PlanTerms;

/** Reads the terms of many subscriptions together; plans and settings come from memory where possible. */
@Injectable()
export class TermsReader {
  /** The price of a plan never changes; its tax may, which counts once the cached plan is read again. */
  private readonly plans = new LookupCache((key) => this.readPlan(key));

  constructor(
    private readonly planStore: PlanStore,
    private readonly prices: PlanPricer,
    private readonly companies: Companies,
    private readonly discounts: DiscountReader,
    private readonly buyers: TaxBuyerReader,
  ) {}

  /**
   * The discount of a coupon on a plan.
   * @throws Faults of `DiscountReader.read`
   */
  async discount(company: Id, plan: Id, code: string, use: CouponUse): Promise<Discount> {
    return this.discounts.read(await this.planOf(company, plan), code, use);
  }

  /** Whether the redemptions of a discount's coupon are limited. */
  isLimited(company: Id, discount: Discount): Promise<boolean> {
    return this.discounts.isLimited(company, discount);
  }

  /**
   * The terms of each of these subscriptions of a company. Products are always read from the database, all in one
   * query; a missing plan does not affect the others.
   */
  async forMany(company: Id, subscriptions: readonly NamesPlans[]): Promise<TermsOf> {
    const ids = distinctIds(subscriptions.flatMap(plansNamedBy));
    const read = await Promise.allSettled(ids.map((id) => this.planOf(company, id)));
    const plans = new Map(read.map((one, index) => [ids[index]?.toHexString(), one]));
    const found = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const settings = await this.companies.get(company);
    const buyers = taxSellerOf(settings) === null ? null : await this.buyers.named(company, subscriptions);
    const planOf = (id: string): StoredPlan => {
      const one = plans.get(id);
      if (one?.status === 'fulfilled') return one.value;
      throw one?.reason ?? new PlanNotRead(id);
    };
    const book = await this.prices.bookOf(company, settings, found);
    if (buyers === null) {
      // Without decided tax, terms do not depend on the buyer.
      const of = pricedTerms(settings, planOf, book, taxBuyerOf(null));
      return (one) => of(subscribed(one));
    }
    return (one: NamesPlans) => pricedTerms(settings, planOf, book, buyers(one))(subscribed(one));
  }

  /** The terms of one subscription, as by `forMany`; `others` are plans that a change would lead to. */
  async forOne(company: Id, subscription: NamesPlans, others: readonly PlanQuantity[] = []): Promise<Terms> {
    return (await this.forMany(company, [subscription, ...others]))(subscription);
  }

  /**
   * The plan that a request names, and the terms of a quantity of it.
   * @throws Faults of `PlanStore.named`; `amount.invalid` where the quantity makes today's price too large
   */
  async referred(
    caller: CompanyCaller,
    taken: PlanQuantity,
    charged: ChargedNow,
  ): Promise<{ plan: PlanRecord; terms: Terms }> {
    const plan = await this.planStore.named(caller, taken.plan);
    return { plan, terms: await this.ofPlan(caller.company, plan, taken, charged) };
  }

  /**
   * The terms of a quantity of a plan that is at hand.
   * @throws Fault `amount.invalid` where the quantity makes today's price too large
   */
  async ofPlan(
    company: Id,
    record: PlanRecord,
    taken: PlanQuantity,
    { user, payment_method, now }: ChargedNow,
  ): Promise<Terms> {
    const plan = planTermsOf(record);
    const settings = await this.companies.get(company);
    const book = await this.prices.bookOf(company, settings, [plan]);
    const buyer = await this.buyers.read(company, { user, payment_method });
    const of = pricedTerms(settings, () => plan, book, buyer);
    const terms = of(subscribed(taken));
    if (taken.quantity > 1) requireChargeable(plan, terms.price(now));
    return terms;
  }

  /**
   * Checks the plan to which a request changes a subscription; its own plan is known to its user, offered or not.
   * @throws Faults of `PlanStore.named`
   */
  async requirePlan({ company, plan }: OwnPlan, { role }: Pick<Caller, 'role'>, to: Id): Promise<void> {
    if (role === 'admin' || !sameId(plan, to)) await this.planStore.named({ company, role }, to);
  }

  /** The settings by which prices are taxed. */
  settingsOf(company: Id): Promise<PriceSettings> {
    return this.companies.get(company);
  }

  /** The settings that bind a caller as a customer. */
  customersOf(caller: CompanyCaller): Promise<CustomerSettings> {
    return this.companies.customersOf(caller);
  }

  /** The terms for decisions that need no price; reads no products. */
  async withoutPrice(company: Id, subscription: NamesPlans): Promise<Terms> {
    const ids = distinctIds(plansNamedBy(subscription));
    const [settings, ...plans] = await Promise.all([
      this.companies.get(company),
      ...ids.map((id) => this.planOf(company, id)),
    ]);
    const price = (): never => {
      throw new Error('No price was read: nothing that asks for one may be decided here');
    };
    const of = termsFrom(settings, (id) => found(plans, id), price);
    return of(subscribed(subscription));
  }

  private planOf(company: Id, plan: Id): Promise<StoredPlan> {
    return this.plans.get(`${company.toHexString()}/${plan.toHexString()}`);
  }

  private async readPlan(key: string): Promise<StoredPlan> {
    const [company, plan] = key.split('/').map(parseId) as [Id, Id];
    return planTermsOf(await this.planStore.in(company).get(plan, { deleted: true }));
  }
}

/** A plan and quantity as the state names them. */
export function subscribed({ plan, quantity, discount_terms: discount }: PlanQuantity): Subscribed {
  return { plan: plan.toHexString(), quantity, ...discounted(discount ?? undefined) };
}

/** The plans that the state of a subscription names. */
function plansNamedBy({ plan, pending_change, periods = [] }: NamesPlans): Id[] {
  const held = periods.flatMap(({ terms }) => terms.map(({ subscribed }) => subscribed.plan));
  const others = held.map(parseId).filter((id) => id !== null);
  return [plan, ...(pending_change == null ? [] : [pending_change.plan]), ...others];
}

/** The terms at current prices, with the tax of this buyer where tax is decided. */
function pricedTerms(
  settings: CompanyTerms & PriceSettings,
  planOf: (id: string) => StoredPlan,
  book: PriceBook,
  buyer: TaxBuyer,
): (subscribed: Subscribed) => Terms {
  const price = (plan: StoredPlan, at: Date): PlanPriceInput => book(plan, { buyer, at });
  if (taxSellerOf(settings) === null) return termsFrom(settings, planOf, price);
  const setup = (plan: StoredPlan, at: Date): SetupFee =>
    taxedSetupFee(plan.setup_fee_minor, price(plan, at));
  return termsFrom(settings, planOf, price, setup);
}

function termsFrom(
  settings: CompanyTerms,
  planOf: (id: string) => StoredPlan,
  price: (plan: StoredPlan, at: Date) => PlanPriceInput,
  setup?: (plan: StoredPlan, at: Date) => SetupFee,
): (subscribed: Subscribed) => Terms {
  const make = ({ plan: id, quantity, discount }: Subscribed): Terms => {
    const plan = planOf(id);
    const reduced = discounted(discountOn(discount, id));
    return {
      ...{ plan, quantity, settings, for: of },
      price: (at) => ({ ...price(plan, at), quantity, ...reduced }),
      ...(setup === undefined ? {} : { setup: (at: Date) => setup(plan, at) }),
    };
  };
  // Subscriptions without a discount share the terms of their plan and quantity, and with them its price.
  const shared = new Map<string, Terms>();
  const of = (one: Subscribed): Terms => {
    if (one.discount !== undefined) return make(one);
    const key = `${one.plan} ${one.quantity}`;
    const terms = shared.get(key) ?? make(one);
    shared.set(key, terms);
    return terms;
  };
  return of;
}

function found(plans: readonly StoredPlan[], id: string): StoredPlan {
  const plan = plans.find(({ _id }) => _id.toHexString() === id);
  if (plan === undefined) throw new PlanNotRead(id);
  return plan;
}
