import { sortsOf, Flag, Instant, Text, createBody, listQuery, updateBody } from '@commerce/records';

import { SearchText } from '../search/search-query.js';
import { CouponRecord } from './coupon.record.js';

const GIVEN = [
  'name',
  'currency',
  'percent_off',
  'amount_off',
  'duration',
  'duration_in_intervals',
  'plans',
  'products',
  'ending_date',
  'max_redemptions',
  'max_redemptions_per_user',
] as const;

export class CreateCouponBody extends createBody(CouponRecord, GIVEN) {
  @Text({ min: 1, max: 64, pattern: /^\S(.*\S)?$/, optional: true, description: 'random when left out' })
  code: string | null;

  @Instant({ optional: true, description: 'now when left out' })
  starting_date: Date | null;
}

/** Omitted fields are unchanged; a discount of one kind replaces one of the other kind, and a list the previous one. */
export class UpdateCouponBody extends updateBody(CouponRecord, [...GIVEN, 'code', 'starting_date']) {}

export class ListCouponsQuery extends listQuery({
  sortable: sortsOf(CouponRecord),
  dates: ['created', 'modified', 'starting_date', 'ending_date'],
}) {
  @Flag({ default: false, description: 'deleted ones, too' })
  included_deleted: boolean;

  @Flag({ optional: true, description: 'only those that are active, or only those that are not' })
  active: boolean | null;
}

export class SearchCouponsQuery extends ListCouponsQuery {
  @SearchText()
  query: string;
}
