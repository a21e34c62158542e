import { toMajor, toMinor, type PriceLine } from '@commerce/kernel';

import type { Subscribed, Terms } from '../src/domain/pricing/terms.js';
import { discountOn, discounted } from '../src/domain/pricing/discount.js';
import type { PlanPriceInput } from '../src/domain/pricing/pricing.js';
import { taxedPrice, taxedSetupFee } from '../src/plans/plan-tax.js';
import { planTermsOf } from '../src/plans/plan-terms.js';
import type { ScenarioFixture, ScenarioPlan } from './fixture.js';

type Plans = Required<Pick<ScenarioFixture, 'settings' | 'plans'>> &
  Pick<ScenarioFixture, 'seat' | 'tax'> & { readonly plan: ScenarioPlan };

/** The terms of each plan of a scenario; `ids` are those of the plans beside the first, whose price may change. */
export function scenarioTerms(
  { plan, settings, plans, seat, tax }: Plans,
  ids: ReadonlyMap<string, string>,
  firstPrice: () => number,
): (subscribed: Subscribed) => Terms {
  const of = ({ plan: id, quantity: number, discount }: Subscribed): Terms => {
    const [name] = [...ids].find(([, known]) => known === id) ?? [];
    const other = name === undefined ? undefined : plans[name];
    const { price: otherPrice, ...rest } = other ?? {};
    const terms = { ...plan, ...(rest.interval_unit ? collectedOnce(rest) : {}), ...rest };
    const major = (): number => (other === undefined ? firstPrice() : (otherPrice ?? 30));
    const planTerms = planTermsOf(terms);
    const untaxed = (): PlanPriceInput => ({
      currency: plan.currency,
      tax_behavior: tax === undefined ? 'inclusive' : 'exclusive',
      ...pricesOf(major(), seat, plan.currency),
      quantity: number,
      ...discounted(discountOn(discount, id)),
    });
    const price = (at: Date): PlanPriceInput =>
      tax === undefined ? untaxed() : taxedPrice(untaxed(), UNNAMED, { ...tax, at });
    return {
      plan: planTerms,
      quantity: number,
      settings: { timezone: 'UTC', proration_mode: 'day', ...settings },
      price,
      ...(tax && { setup: (at: Date) => taxedSetupFee(planTerms.setup_fee_minor, price(at)) }),
      for: of,
    };
  };
  return of;
}

/** The products of a scenario are services at the standard rate. */
const UNNAMED = { products: new Map<string, never>(), tax_category: null };

/** A price set by hand, or that of its items. */
function pricesOf(price: number, seat: number | undefined, currency: string) {
  if (seat === undefined) return { total_amount: price, items: [] };
  const own = Math.min(seat, price);
  const rest = toMajor(toMinor(price, currency) - toMinor(own, currency), currency);
  return { total_amount: null, items: [item('seat', own), item('support', rest)] };
}

function item(product: string, price: number): PriceLine {
  return { product, price, quantity: 1, discount: 0, vat: 0, item_discount: 0, sub_products: [] };
}

/** The billing interval of a plan that is collected once in each of its intervals. */
export function collectedOnce({ interval_unit = 'MONTH', interval_count = 1 }: Partial<ScenarioPlan>) {
  return { interval_unit, billing_interval: interval_unit, billing_interval_count: interval_count };
}
