import { isFault } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import { CouponRecord } from './coupon.record.js';
import { checkCoupon, couponApplies, discountChanges } from './coupon.rules.js';

const at = (ms: number): Date => new Date(ms);

function coupon(values: Partial<CouponRecord> = {}): CouponRecord {
  const given = { company: newId(), code: 'SUMMER', percent_off: 0.25, starting_date: at(1000), ...values };
  return makeRecord(CouponRecord, given, at(0));
}

function checked(values: Partial<CouponRecord>, currency = 'EUR', now = 1000): unknown {
  const check = couponApplies(coupon(values), currency, at(now));
  return check.applies ? check.off : check.code;
}

describe('a coupon applies', () => {
  it('from its start to just before its end', () => {
    const values = { ending_date: at(2000) };
    expect([999, 1000, 1999, 2000].map((now) => checked(values, 'EUR', now))).toEqual([
      'coupon.not_started',
      { percent_off: 0.25 },
      { percent_off: 0.25 },
      'coupon.expired',
    ]);
    expect(checked({}, 'EUR', 8.64e15)).toEqual({ percent_off: 0.25 });
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
  ])('depending on its state: %s', (_, values, expected) => {
    expect(checked(values)).toEqual(expected);
  });
});

describe('a discount in an update', () => {
  it('replaces one of the other kind', () => {
    expect(discountChanges({ percent_off: 0.1 })).toEqual({ amount_off: null });
    expect(discountChanges({ amount_off: 1 })).toEqual({ percent_off: null });
  });

  it.each([{}, { name: 'x' }, { percent_off: null }, { percent_off: 0.1, amount_off: 1 }])(
    'leaves the other kind alone: %j',
    (body) => {
      expect(discountChanges(body)).toEqual({});
    },
  );
});

describe('a coupon as a whole', () => {
  const errors = (values: Partial<CouponRecord>, promised = 0): string[] => {
    try {
      checkCoupon(coupon(values), promised);
      return [];
    } catch (error) {
      if (!isFault(error)) throw error;
      return (error.details.errors ?? []).map(({ path, code }) => `${path} ${code}`);
    }
  };
  const off = { percent_off: null, amount_off: 5, currency: 'EUR' };

  it.each<[string, Partial<CouponRecord>, number, string[]]>([
    ['a percentage', {}, 0, []],
    ['an amount', off, 0, []],
    ['both', { ...off, percent_off: 0.1 }, 0, ['amount_off coupon.two_discounts']],
    ['neither', { percent_off: null }, 0, ['percent_off coupon.no_discount']],
    ['an amount without currency', { ...off, currency: null }, 0, ['currency value.invalid']],
    ['an amount that is too precise', { ...off, amount_off: 0.001 }, 0, ['amount_off amount.too_precise']],
    [
      'an amount in yen',
      { ...off, currency: 'JPY', amount_off: 100.5 },
      0,
      ['amount_off amount.too_precise'],
    ],
    ['an unknown currency', { ...off, currency: 'XXQ' }, 0, ['currency currency.unknown']],
    ['a percentage with an unknown currency', { currency: 'XXQ' }, 0, ['currency currency.unknown']],
    ['an end at the start', { ending_date: at(1000) }, 0, ['ending_date value.invalid']],
    ['an end after it', { ending_date: at(1001) }, 0, []],
    ['enough redemptions', { max_redemptions: 3 }, 3, []],
    ['too few redemptions', { max_redemptions: 3 }, 4, ['max_redemptions coupon.used_more_often']],
  ])('%s', (_, values, promised, expected) => {
    expect(errors(values, promised)).toEqual(expected);
  });
});
