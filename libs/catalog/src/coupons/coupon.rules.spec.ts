import { isFault } from '@commerce/kernel';
import { makeRecord, newId } from '@commerce/records';

import { CouponRecord } from './coupon.record.js';
import { checkCoupon, checkTargets, impliedChanges } from './coupon.rules.js';

const at = (ms: number): Date => new Date(ms);

function coupon(values: Partial<CouponRecord> = {}): CouponRecord {
  const given = { company: newId(), code: 'SUMMER', percent_off: 0.25, starting_date: at(1000), ...values };
  return makeRecord(CouponRecord, given, at(0));
}

describe('a discount in an update', () => {
  it('replaces one of the other kind', () => {
    expect(impliedChanges({ percent_off: 0.1 })).toEqual({ amount_off: null });
    expect(impliedChanges({ amount_off: 1 })).toEqual({ percent_off: null });
  });

  it.each([{}, { name: 'x' }, { percent_off: null }, { percent_off: 0.1, amount_off: 1 }])(
    'leaves the other kind alone: %j',
    (body) => {
      expect(impliedChanges(body)).toEqual({});
    },
  );
});

describe('a duration in an update', () => {
  it('other than REPEATING ends the number of intervals', () => {
    expect(impliedChanges({ duration: 'FOREVER' })).toEqual({ duration_in_intervals: null });
    expect(impliedChanges({ duration: 'REPEATING' })).toEqual({});
    expect(impliedChanges({ duration: 'ONCE', duration_in_intervals: 3 })).toEqual({});
  });
});

describe('the products of a coupon', () => {
  it('are refused where they are unknown, each at its place', () => {
    const [one, two] = [newId(), newId()];
    const check = (): void => checkTargets('products', [one, two], new Set([one.toHexString()]));
    expect(check).toThrow(
      expect.objectContaining({
        code: 'product.unknown',
        details: { errors: [expect.objectContaining({ path: 'products.1', code: 'product.unknown' })] },
      }),
    );
  });
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
    ['three intervals', { duration: 'REPEATING', duration_in_intervals: 3 }, 0, []],
    ['REPEATING without a number', { duration: 'REPEATING' }, 0, ['duration_in_intervals value.invalid']],
    ['a number with ONCE', { duration_in_intervals: 3 }, 0, ['duration_in_intervals value.invalid']],
    [
      'a number with FOREVER',
      { duration: 'FOREVER', duration_in_intervals: 3 },
      0,
      ['duration_in_intervals value.invalid'],
    ],
    ['enough redemptions', { max_redemptions: 3 }, 3, []],
    ['too few redemptions', { max_redemptions: 3 }, 4, ['max_redemptions coupon.used_more_often']],
  ])('%s', (_, values, promised, expected) => {
    expect(errors(values, promised)).toEqual(expected);
  });
});
