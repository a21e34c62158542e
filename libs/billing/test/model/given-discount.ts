import { toMajor } from '@commerce/kernel';

import type { Discount } from '../../src/domain/pricing/discount.js';
import type { Coupon } from './random-changes.js';

/** The discount that a coupon gives, as the subscription gets it; `plans` are ids. */
export function discountOf({ off, intervals, onSeat }: Coupon, plans: readonly string[] | null): Discount {
  const amount =
    'percent' in off ? { percent_off: off.percent / 100 } : { amount_off: toMajor(off.off_minor, 'EUR') };
  return {
    coupon: 'c'.repeat(24),
    code: 'SUMMER',
    off: onSeat ? { ...amount, products: ['seat'] } : amount,
    ...{ plans, from: 0, until: intervals },
  };
}
