import { Injectable } from '@nestjs/common';
import { CreatePlanBody, PlanStore, Plans, type TakenOverSubscription } from '@commerce/billing';
import { CouponStore, Coupons, CreateCouponBody } from '@commerce/catalog';
import { parseBody, type Id } from '@commerce/records';

import { ServiceContext } from '../service-context.js';
import type { ImportRun } from './catalog-importer.js';
import type { CarriedDiscount } from './discount-rules.js';
import { importedId } from './imported-id.js';
import type { CarriedPlan } from './item-rules.js';
import type { CarriedSubscription } from './subscription-rules.js';

/** Imports the plans and the discounts of subscriptions. */
@Injectable()
export class TermsImporter {
  constructor(private readonly service: ServiceContext) {}

  /** Null where the discount is for products that cannot be items of the plan, which is reported. */
  async import(
    { id, plan, discount }: CarriedSubscription,
    run: ImportRun,
  ): Promise<Pick<TakenOverSubscription, 'plan' | 'discount_terms'> | null> {
    if (discount?.coupon.products && !hasItems(plan, run)) {
      run.report.leave(id, 'its discount is for products that are not imported in its currency');
      return null;
    }
    const discount_terms = discount === null ? null : await this.discount(discount, run);
    return { discount_terms, plan: await this.plan(plan, id, run) };
  }

  /** The discount by an ended coupon: nobody else can redeem it. */
  private async discount(
    { coupon, from, until }: CarriedDiscount,
    { caller, dryRun }: ImportRun,
  ): Promise<TakenOverSubscription['discount_terms']> {
    const { key, name, off, currency, duration, duration_in_intervals } = coupon;
    const _id = importedId(caller.company, 'coupon', key);
    const code = `stripe-${key.replaceAll(' ', '-')}`.slice(0, 64);
    const targets = coupon.products?.map((id) => importedId(caller.company, 'product', id).toHexString());
    const store = (await this.service.get(CouponStore)).in(caller.company);
    if ((await store.find(_id, { deleted: true })) === null) {
      const body = parseBody(CreateCouponBody, {
        ...{ name, code, ...off, duration, duration_in_intervals },
        ...('amount_off' in off ? { currency } : {}),
        products: targets ?? [],
        starting_date: 0,
        ending_date: 1,
      });
      if (!dryRun) await (await this.service.get(Coupons)).create(caller, body, _id);
    }
    const limited = targets === undefined ? off : { ...off, products: targets };
    return { coupon: _id.toHexString(), code, plans: null, off: limited, from, until };
  }

  private async plan(plan: CarriedPlan, subscription: string, run: ImportRun): Promise<Id> {
    const { caller, report, dryRun, plans } = run;
    const _id = importedId(caller.company, 'plan', plan.key);
    if (plans.has(plan.key)) return _id;
    const store = await this.service.get(PlanStore);
    const isThere = (await store.in(caller.company).find(_id, { deleted: true })) !== null;
    const body = this.planBody(plan, run);
    if (!isThere && !dryRun) await (await this.service.get(Plans)).create(caller, body, _id);
    plans.add(plan.key);
    report.add('plans', isThere ? 'there' : 'imported');
    if (plan.has_own_vat && plan.vat === null && !isThere) {
      report.note(subscription, 'Stripe does not say the VAT of its plan: invoices wait until you do');
    }
    return _id;
  }

  private planBody(plan: CarriedPlan, run: ImportRun): CreatePlanBody {
    const { caller, products } = run;
    const names = plan.items.map(({ product }) => products.get(product)?.name ?? product);
    const items = plan.items.map(({ product, quantity }) => ({
      product: importedId(caller.company, 'product', product).toHexString(),
      quantity,
    }));
    const { currency, total_amount, interval, vat } = plan;
    return parseBody(CreatePlanBody, {
      name: names.join(' + ').slice(0, 200) || 'Stripe',
      note: `Stripe ${plan.key}`.slice(0, 1000),
      // A price of one customer is nobody else's to subscribe to.
      offered: false,
      ...{
        currency,
        total_amount,
        interval_unit: interval.unit,
        interval_count: interval.count,
        prepay: true,
      },
      // Products that have another currency or were not imported cannot be items of the subscription; its amount is set
      // anyway.
      ...(hasItems(plan, run) ? { items } : { vat }),
    });
  }
}

/** Whether the products of a plan are its items: they are imported in its currency, and it has no VAT of its own. */
function hasItems({ items, currency, has_own_vat }: CarriedPlan, { products }: ImportRun): boolean {
  return !has_own_vat && items.every(({ product }) => products.get(product)?.currency === currency);
}
