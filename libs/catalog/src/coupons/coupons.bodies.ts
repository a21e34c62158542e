import { Instant, Text, createBody, updateBody } from '@commerce/platform';

import { CouponRecord } from './coupon.record.js';

const GIVEN = ['name', 'currency', 'percent_off', 'amount_off', 'ending_date', 'max_redemptions'] as const;

export class CreateCouponBody extends createBody(CouponRecord, GIVEN) {
  @Text({ min: 1, max: 64, pattern: /^\S(.*\S)?$/, optional: true, description: 'drawn when it is left out' })
  code: string | null;

  @Instant({ optional: true, description: 'now, when it is left out' })
  starting_date: Date | null;
}

/** What is left out stays; a discount of the other kind takes the place of the one before. */
export class UpdateCouponBody extends updateBody(CouponRecord, [...GIVEN, 'code', 'starting_date']) {}
