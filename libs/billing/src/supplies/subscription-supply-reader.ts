import { Injectable } from '@nestjs/common';
import { ProductStore } from '@commerce/catalog';
import { taxSellerOf } from '@commerce/identity';
import { toMinor, type ProductName } from '@commerce/kernel';
import {
  PaymentStore,
  grossMinor,
  type Supplied,
  type SuppliedOf,
  type SuppliedPayment,
} from '@commerce/payments';
import { distinctIds, parseId, type Id } from '@commerce/records';

import type { Breakdown } from '../domain/pricing/breakdown.js';
import { productsIn } from '../domain/pricing/explanation.js';
import { planPrice } from '../domain/pricing/pricing.js';
import {
  ratesChargedAt,
  restoredSupply,
  settlesEarlier,
  suppliesOf,
  type PeriodRates,
  type SupplyContext,
} from '../domain/pricing/supplies.js';
import type { Terms } from '../domain/pricing/terms.js';
import { isVatUnsaid } from '../plans/plan-tax.rules.js';
import type { PlanRecord } from '../plans/plan.record.js';
import { PlanStore } from '../plans/plan.store.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { TermsReader } from '../terms/terms-reader.js';

/** Reads the names and rates that the breakdowns of payments do not say, for many payments together. */
@Injectable()
export class SubscriptionSupplyReader {
  constructor(
    private readonly store: SubscriptionStore,
    private readonly plans: PlanStore,
    private readonly terms: TermsReader,
    private readonly products: ProductStore,
    private readonly payments: PaymentStore,
  ) {}

  /** The names of the products that these breakdowns contain. */
  async namesIn(company: Id, breakdowns: readonly Breakdown[]): Promise<ProductName> {
    const ids = breakdowns
      .flatMap((one) => productsIn(one))
      .map(parseId)
      .filter((id) => id !== null);
    const products = await this.products.in(company).partsByIds(distinctIds(ids), ['name']);
    return (product) => products.get(product)?.name ?? product;
  }

  async supplied(company: Id, payments: readonly SuppliedPayment[]): Promise<SuppliedOf> {
    const ids = distinctIds(payments.map(({ subscription }) => subscription).filter((id) => id !== null));
    const [subscriptions, earlier] = await Promise.all([
      this.store.in(company).partsByIds(ids, SUBSCRIBED_FIELDS),
      this.earlierOf(company, payments),
    ]);
    const found = [...subscriptions.values()];
    const breakdowns = [...payments, ...earlier].flatMap(breakdownsOf);
    const [nameOf, ratesOf] = await Promise.all([
      this.namesIn(company, breakdowns),
      this.planRates(company, found, breakdowns),
    ]);
    const earlierOf = new Map<string, Breakdown[]>();
    for (const one of earlier)
      earlierOf.set(keyOf(one), [...(earlierOf.get(keyOf(one)) ?? []), ...breakdownsOf(one)]);
    return (payment) => {
      const subscription = subscriptions.get(keyOf(payment));
      if (subscription === undefined) throw new RangeError('the subscription of the payment is gone');
      const { planName, plan } = ratesOf(subscription, payment);
      const before = earlierOf.get(keyOf(payment)) ?? [];
      const context: SupplyContext = {
        ...{ nameOf, planName },
        credit_minor: toMinor(payment.credit_applied, payment.currency),
        chargedAt: (start) => ratesChargedAt(before, start, { nameOf, planName, plan }),
        plan,
      };
      return suppliedBy(payment, subscription, context);
    };
  }

  /** Reads the plans of subscriptions, and those whose VAT nobody had said when they were charged, with their present tax. */
  private async planRates(
    company: Id,
    subscriptions: readonly Supplying[],
    breakdowns: readonly Breakdown[],
  ): Promise<RatesOf> {
    const untaxed = untaxedPlansIn(breakdowns).map((plan) => ({ plan, quantity: 1 }));
    const named = [...subscriptions, ...untaxed];
    const [settings, plans, termsOf] = await Promise.all([
      this.terms.settingsOf(company),
      this.plans.in(company).partsByIds(distinctIds(named.map(({ plan }) => plan)), PLAN_FIELDS),
      this.terms.forMany(company, named),
    ]);
    return (subscription, { period_start, created }) => {
      const nameOf = (id: string): string => plans.get(id)?.name ?? subscription.name ?? subscription.method;
      const own = subscription.plan.toHexString();
      const plan = (id = own): PeriodRates => {
        const found = plans.get(id);
        // Read anew: the terms may be as old as a process remembers plans.
        if (found !== undefined && taxSellerOf(settings) === null && found.items.length === 0) {
          if (isVatUnsaid(settings, found)) throw unsaid(found);
          return [{ name: nameOf(id), rate: found.vat ?? 0, weight: 1 }];
        }
        const terms = termsOf({ ...subscription, plan: found?._id ?? subscription.plan });
        return ratesOfPlan(terms, period_start ?? created, nameOf(id));
      };
      return { planName: nameOf(own), plan };
    };
  }

  /** The payments for the periods of which these settle a part. */
  private async earlierOf(company: Id, payments: readonly SuppliedPayment[]): Promise<EarlierPayment[]> {
    const asking = payments.filter((payment) => breakdownsOf(payment).some(settlesEarlier));
    const ids = distinctIds(asking.map(({ subscription }) => subscription).filter((id) => id !== null));
    const filter = { subscription: { $in: ids }, order: null, kind: 'period' };
    return this.payments.in(company).parts(filter, EARLIER_FIELDS, MOST_EARLIER);
  }
}

/** The fields of a subscription that its documents and its terms without another plan depend on. */
const SUBSCRIBED_FIELDS = [
  'user',
  'plan',
  'quantity',
  'discount_terms',
  'human_id',
  'name',
  'method',
  'timezone',
] as const;
type Supplying = Pick<SubscriptionRecord, '_id' | (typeof SUBSCRIBED_FIELDS)[number]>;

const PLAN_FIELDS = ['name', 'human_id', 'items', 'vat'] as const;
type TaxedPlan = Pick<PlanRecord, (typeof PLAN_FIELDS)[number]>;

/** The name of a subscription's plan, and the rates of it, or of another one. */
type RatesOf = (
  subscription: Supplying,
  payment: SuppliedPayment,
) => Pick<SupplyContext, 'planName' | 'plan'>;

/** The plans in these breakdowns whose VAT nobody had said. */
function untaxedPlansIn(breakdowns: readonly Breakdown[]): Id[] {
  const ids = breakdowns
    .flatMap(({ parts }) => parts)
    .map((part) => (part.kind === 'period' ? (part.priced_from?.untaxed_plan ?? '') : ''));
  return distinctIds(ids.map(parseId).filter((id) => id !== null));
}

function unsaid({ name, human_id }: TaxedPlan): RangeError {
  const plan = name === null ? human_id : `${name} (${human_id})`;
  return new RangeError(`nobody has said the VAT of the plan ${plan}: update it with vat, 0 included`);
}

const EARLIER_FIELDS = ['subscription', 'breakdown'] as const;
type EarlierPayment = Pick<SuppliedPayment, (typeof EARLIER_FIELDS)[number]>;

/** Payments of the subscriptions of one batch. */
const MOST_EARLIER = 5000;

function keyOf({ subscription }: Pick<SuppliedPayment, 'subscription'>): string {
  return subscription?.toHexString() ?? '';
}

/** The breakdown of a payment; none where the provider's books, from which it was written back, have none. */
function breakdownsOf({ breakdown }: Pick<SuppliedPayment, 'breakdown'>): Breakdown[] {
  return 'parts' in breakdown ? [breakdown as Breakdown] : [];
}

function ratesOfPlan(terms: Terms, at: Date, name: string): PeriodRates {
  const rates = planPrice(terms.price(at)).priced?.vat ?? [];
  const [first, ...others] = rates.map(({ rate, tax, gross_minor }) => {
    return { name, rate, ...(tax === undefined ? {} : { tax }), weight: gross_minor };
  });
  return first === undefined ? [{ name, rate: 0, weight: 1 }] : [first, ...others];
}

function suppliedBy(
  payment: SuppliedPayment,
  { _id, human_id, timezone }: Supplying,
  context: SupplyContext,
): Supplied {
  const { currency, period_start: start, period_end: end } = payment;
  const [breakdown] = breakdownsOf(payment);
  const period = start === null || end === null ? null : { start, end };
  return {
    subject: { kind: 'subscription', id: _id.toHexString(), human_id },
    // Charges of subscriptions are gross amounts, whatever their prices are.
    prices: 'inclusive',
    timezone,
    supplies:
      breakdown === undefined
        ? restoredSupply(grossMinor(payment), period, context.plan(), currency)
        : suppliesOf(breakdown, context),
  };
}
