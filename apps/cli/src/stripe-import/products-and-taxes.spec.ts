import { CONTEXT, PRICE, PRODUCT, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripePrice, StripeSubscription } from './stripe-objects.js';
import { carryOver, judgeOf, type CarryContext } from './subscription-rules.js';

const NOW = CONTEXT;

function of(values: Partial<StripeSubscription> = {}, price: Partial<StripePrice> = {}): StripeSubscription {
  return { ...SUBSCRIPTION, items: { data: [{ price: { ...PRICE, ...price }, quantity: 1 }] }, ...values };
}

function why(from: StripeSubscription, context: CarryContext): readonly string[] {
  const carried = carryOver(from, context);
  return carried.kind === 'left' ? carried.why : [carried.kind];
}

describe('a subscription, by its products and taxes,', () => {
  it('stays at Stripe where a product has a field that is not understood', () => {
    const judged = (product: object): CarryContext => ({
      ...NOW,
      products: new Map([[PRODUCT.id, judgeOf({ ...PRODUCT, ...product })]]),
    });
    expect(why(of(), judged({ surcharge: 5 }))).toEqual([
      `${PRODUCT.id} has a field that is not understood: surcharge`,
    ]);
    expect(why(of(), judged({ tax_details: { tax_code: null, exemption: 'x' } }))).toEqual([
      `${PRODUCT.id} has a field that is not understood: tax_details.exemption`,
    ]);
    expect(carryOver(of(), judged({ url: 'https://example.com', unit_label: 'seat' })).kind).toBe('carried');
  });

  it('stays at Stripe where Stripe Tax taxes a product that may have another rate', () => {
    const seller = { country: 'DE', timezone: 'Europe/Berlin', oss: true, small_business: false, rates: [] };
    const from = of({ automatic_tax: { enabled: true } }, { tax_behavior: 'inclusive' });
    const context = { ...NOW, tax: { ...NOW.tax, seller } };
    expect(carryOver(from, context).kind).toBe('carried');
    const food = judgeOf({ ...PRODUCT, tax_code: 'txcd_40060003' });
    expect(why(from, { ...context, products: new Map([[PRODUCT.id, food]]) })).toEqual([
      `${PRODUCT.id} has a tax code that is not understood: txcd_40060003`,
    ]);
    expect(why(from, { ...context, products: new Map() })).toEqual([
      `the tax code of its product ${PRODUCT.id} is not in the export`,
    ]);
  });

  it('has its VAT in the plan where rates are set by hand, and the amount that Stripe charges', () => {
    const adding = { ...NOW, tax: { ...NOW.tax, behavior: 'exclusive' } } as const;
    const taxed = (...items: readonly (readonly [cents: number, quantity: number])[]) => ({
      ...of({ default_tax_rates: [{ percentage: 19, inclusive: false }] }),
      items: {
        data: items.map(([unit_amount, quantity]) => ({ price: { ...PRICE, unit_amount }, quantity })),
      },
    });
    // 19.00 and 3.61 each.
    expect(carryOver(taxed([1900, 3]), adding)).toMatchObject({
      subscription: { quantity: 3, plan: { total_amount: 19, vat: 0.19, has_own_vat: true } },
    });
    // 3.7981 each, 11.3943 on the three of them.
    expect(carryOver(taxed([1999, 3]), adding)).toMatchObject({
      subscription: { quantity: 1, plan: { total_amount: 59.97, key: `${PRICE.id}*3 USD VAT 0.19` } },
    });
    // 1.91 on each, 3.81 on both.
    expect(why(taxed([1003, 1], [1003, 1]), adding)).toEqual([
      'the tax on its items may be rounded otherwise at Stripe',
    ]);
    expect(why(taxed([2 ** 50, 1_000_000]), adding)).toEqual([expect.stringContaining('USD has no amount')]);
    const inclusive = of({ default_tax_rates: [{ percentage: 19, inclusive: true }] });
    expect(carryOver(inclusive, NOW)).toMatchObject({
      subscription: { plan: { total_amount: 10, vat: 0.19 } },
    });
  });
});
