import { customerOf } from './customer-rules.js';
import { CONTEXT, CUSTOMER, PRICE, SUBSCRIPTION } from './stripe-examples.spec-data.js';
import type { StripeCoupon, StripeDiscount, StripeSubscription } from './stripe-objects.js';
import { carryOver, type Carried, type CarryContext } from './subscription-rules.js';

const seconds = (date: string): number => Date.parse(date) / 1000;

const COUPON: StripeCoupon = {
  id: 'jMT0WJUD',
  object: 'coupon',
  amount_off: null,
  currency: null,
  duration: 'repeating',
  duration_in_months: 3,
  name: 'Spring',
  percent_off: 25.5,
};

/** The subscription began on 31 January, and the next period begins on 28 February. */
const DISCOUNT: StripeDiscount = {
  start: seconds('2026-01-31T10:30:00Z'),
  end: seconds('2026-04-30T10:30:00Z'),
  source: { coupon: COUPON },
};

const EUR = { ...COUPON, percent_off: null, amount_off: 500, currency: 'eur' };

function by(coupon: object, discount: object = {}): Partial<StripeSubscription> {
  return { discounts: [{ ...DISCOUNT, source: { coupon: { ...COUPON, ...coupon } }, ...discount }] };
}

function carried(
  from: Partial<StripeSubscription>,
  customer: object = {},
  coupons: readonly StripeCoupon[] = [],
  options: Partial<CarryContext> = {},
): Carried {
  const context = {
    ...{ ...CONTEXT, ...options },
    customers: new Map([[CUSTOMER.id, customerOf({ ...CUSTOMER, ...customer })]]),
    coupons: new Map(coupons.map((coupon) => [coupon.id, coupon])),
  };
  const items = { data: [{ price: PRICE, quantity: 2 }] };
  return carryOver({ ...SUBSCRIPTION, items, ...from }, context);
}

describe('the discount of a subscription', () => {
  it('continues with its coupon, until the date on which it ends', () => {
    expect(carried(by({}))).toMatchObject({
      subscription: {
        discount: {
          coupon: {
            key: COUPON.id,
            name: 'Spring',
            off: { percent_off: 0.255 },
            duration: 'REPEATING',
            duration_in_intervals: 3,
            products: null,
          },
          from: 0,
          until: 3,
        },
      },
    });
  });

  it.each<[string, Partial<StripeSubscription>, number, number | null]>([
    ['within a period', by({}, { end: seconds('2026-04-15') }), 0, 3],
    ['never', by({ duration: 'forever' }, { end: null }), 0, null],
    ['after the next invoice', by({ duration: 'once' }, { end: null }), 1, 2],
    ['and began within a period', by({}, { start: seconds('2026-02-05') }), 1, 3],
    ['and began before the anchor', by({}, { start: seconds('2025-12-05') }), 0, 3],
  ])('ends %s', (_when, from, begins, ends) => {
    expect(carried(from)).toMatchObject({ subscription: { discount: { from: begins, until: ends } } });
  });

  it('is none where it is over, or for other products', () => {
    const over = by({}, { end: seconds('2026-02-28T10:30:00Z') });
    expect(carried(over)).toMatchObject({ subscription: { discount: null } });
    const others = by({ applies_to: { products: ['prod_other'] } });
    expect(carried(others)).toMatchObject({ subscription: { discount: null } });
  });

  it('is in the currency of the subscription', () => {
    const currency_options = { usd: { amount_off: 600 } };
    expect(carried(by({ ...EUR, currency_options }))).toMatchObject({
      subscription: { discount: { coupon: { key: `${COUPON.id} USD`, off: { amount_off: 6 } } } },
    });
  });

  it("is the customer's where the subscription has none", () => {
    const customer = {
      discount: { ...DISCOUNT, end: null, source: { coupon: { ...COUPON, duration: 'forever' } } },
    };
    expect(carried({}, customer)).toMatchObject({ subscription: { discount: { from: 0, until: null } } });
    expect(carried(by({}), customer)).toMatchObject({ subscription: { discount: { until: 3 } } });
  });

  it('has the coupon of the export where it names one, or that of older versions of the API', () => {
    const named = { discounts: [{ ...DISCOUNT, source: { coupon: COUPON.id } }] };
    expect(carried(named, {}, [{ ...COUPON, percent_off: 10 }])).toMatchObject({
      subscription: { discount: { coupon: { off: { percent_off: 0.1 } } } },
    });
    const { start, end } = DISCOUNT;
    expect(carried({ discount: { start, end: end ?? null, coupon: COUPON } })).toMatchObject({
      subscription: { discount: { coupon: { off: { percent_off: 0.255 } } } },
    });
  });

  it('may be that of its only item', () => {
    const items = { data: [{ price: PRICE, quantity: 2, discounts: [DISCOUNT] }] };
    expect(carried({ items })).toMatchObject({ subscription: { discount: { until: 3 } } });
  });

  it('is for all items of a plan with a VAT of its own, which has none', () => {
    const tax = { ...CONTEXT.tax, must_say_vat: true };
    const limited = by({ applies_to: { products: [PRICE.product] } });
    expect(carried(limited, {}, [], { tax })).toMatchObject({
      subscription: { discount: { coupon: { key: `${COUPON.id} all`, products: null } } },
    });
    const other = { price: { ...PRICE, id: 'price_other', product: 'prod_other' } };
    const items = { data: [{ price: PRICE }, other] };
    expect(carried({ ...limited, items }, {}, [], { tax })).toEqual({
      kind: 'left',
      why: ['its discount is for some of its items, and their VAT is set by hand'],
    });
    expect(carried({ ...limited, items })).toMatchObject({
      subscription: { discount: { coupon: { products: [PRICE.product] } } },
    });
  });

  const two = [
    { price: PRICE, discounts: [DISCOUNT] },
    { price: PRICE, quantity: 1 },
  ];

  it.each<[string, Partial<StripeSubscription>, object]>([
    ['it has a discount that is not expanded', { discounts: ['di_1'] }, {}],
    ['the coupon of its discount is not in the export', by({}, { source: { coupon: 'gone' } }), {}],
    ['it has several discounts', { discounts: [DISCOUNT, DISCOUNT] }, {}],
    ['one of its items has a discount', { items: { data: two } }, {}],
    [`its coupon ${COUPON.id} has no amount in USD in the export`, by(EUR), {}],
    [
      `its coupon ${COUPON.id} has a field that is not understood: percent_off`,
      by({ ...EUR, currency: 'usd', currency_options: { eur: { percent_off: 10 } } }),
      {},
    ],
    [`its coupon ${COUPON.id} has a duration that is not understood`, by({ duration: 'yearly' }), {}],
    [
      `its coupon ${COUPON.id} has a field that is not understood: script`,
      by({ script: { id: 'scr_1' } }),
      {},
    ],
    [
      'its discount has a field that is not understood: service_period',
      by({}, { service_period: { months: 1 } }),
      {},
    ],
    [
      'the next invoice of its customer has a discount',
      {},
      { discount: { ...DISCOUNT, source: { coupon: { ...COUPON, duration: 'once' } } } },
    ],
  ])('leaves it at Stripe: %s', (reason, from, customer) => {
    expect(carried(from, customer)).toEqual({ kind: 'left', why: [reason] });
  });
});
