import { makeRecord, newId, type Id } from '@commerce/records';

import { CouponRecord } from './coupon.record.js';
import { couponAppliesToOrder, couponAppliesToSubscription } from './coupon-terms.js';

const at = (ms: number): Date => new Date(ms);
const [TEA, CUP, POT] = [newId(), newId(), newId()];
const [BASIC, PLUS] = [newId(), newId()];

function coupon(values: Partial<CouponRecord> = {}): CouponRecord {
  const given = { company: newId(), code: 'SUMMER', percent_off: 0.25, starting_date: at(1000), ...values };
  return makeRecord(CouponRecord, given, values.created ?? at(0));
}

function onOrder(values: Partial<CouponRecord>, now = 1000, test_clock: Id | null = null): unknown {
  const order = { currency: 'EUR', products: [TEA, CUP] };
  const check = couponAppliesToOrder(coupon(values), order, { now: at(now), test_clock });
  return check.applies ? check.off : check.code;
}

function onSubscription(values: Partial<CouponRecord>, now = 1000, products = [TEA, CUP]): unknown {
  const bought = { plan: BASIC, products, currency: 'EUR' };
  const check = couponAppliesToSubscription(coupon(values), bought, { now: at(now), test_clock: null });
  return check.applies ? check.terms : check.code;
}

const ONCE = { duration: 'ONCE', duration_in_intervals: null, products: null };

describe('a coupon applies', () => {
  it('from its start to just before its end', () => {
    const values = { ending_date: at(2000) };
    expect([999, 1000, 1999, 2000].map((now) => onOrder(values, now))).toEqual([
      'coupon.not_started',
      { percent_off: 0.25 },
      { percent_off: 0.25 },
      'coupon.expired',
    ]);
    expect(onOrder({}, 8.64e15)).toEqual({ percent_off: 0.25 });
  });

  it('at once, where the clock of the process that created it is ahead', () => {
    const made = { created: at(1000), starting_date: at(1000) };
    expect(onOrder(made, 990)).toEqual({ percent_off: 0.25 });
    expect(onSubscription(made, 990)).toEqual({ percent_off: 0.25, ...ONCE });
    expect(onOrder({ ...made, starting_date: at(1001) }, 990)).toBe('coupon.not_started');
    // A test clock has no part in the time of its creation.
    expect(onOrder(made, 990, newId())).toBe('coupon.not_started');
  });

  it.each<[string, Partial<CouponRecord>, unknown]>([
    ['deleted', { delete: true }, 'coupon.inactive'],
    ['not active', { active: false }, 'coupon.inactive'],
    ['used up', { max_redemptions: 2, used_count: 2 }, 'coupon.used_up'],
    ['nearly used up', { max_redemptions: 2, used_count: 1 }, { percent_off: 0.25 }],
    ['used often, but unlimited', { used_count: 1000 }, { percent_off: 0.25 }],
    ['a percentage, with another currency', { currency: 'USD' }, { percent_off: 0.25 }],
    ['an amount in this currency', { percent_off: null, amount_off: 5, currency: 'EUR' }, { amount_off: 5 }],
    [
      'an amount in another currency',
      { percent_off: null, amount_off: 5, currency: 'USD' },
      'coupon.currency_differs',
    ],
    ['other products', { products: [POT] }, 'coupon.not_for_these_products'],
  ])('to orders and subscriptions alike: %s', (_, values, expected) => {
    expect(onOrder(values)).toEqual(expected);
    const terms = typeof expected === 'string' ? expected : { ...(expected as object), ...ONCE };
    expect(onSubscription(values)).toEqual(terms);
  });

  it('to an order, by its products and regardless of its duration', () => {
    const only = { percent_off: 0.25, products: [CUP.toHexString(), POT.toHexString()] };
    expect(onOrder({ products: [CUP, POT], duration: 'FOREVER' })).toEqual(only);
    expect(onOrder({ products: [CUP, POT], plans: [PLUS] })).toEqual(only);
    expect(onOrder({ plans: [PLUS] })).toBe('coupon.not_for_orders');
  });

  it('to a subscription, by its plan and the products of its items', () => {
    const three = { duration: 'REPEATING', duration_in_intervals: 3 } as const;
    expect(onSubscription({ ...three, products: [CUP], plans: [PLUS, BASIC] })).toEqual({
      percent_off: 0.25,
      products: [CUP.toHexString()],
      ...three,
    });
    expect(onSubscription({ plans: [PLUS] })).toBe('coupon.not_for_this_plan');
    expect(onSubscription({ products: [CUP] }, 1000, [])).toBe('coupon.not_for_these_products');
    expect(onSubscription({ plans: [BASIC], duration: 'FOREVER' }, 1000, [])).toMatchObject({
      duration: 'FOREVER',
      products: null,
    });
  });
});
