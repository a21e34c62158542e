import {
  Amount,
  Currency,
  Flag,
  Fraction,
  Instant,
  Integer,
  ListOf,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  Written,
  type Id,
} from '@commerce/platform';

/** A redemption that is not paid yet. */
export class Reservation {
  @Ref('order')
  order: Id;

  /** In real time, also for orders on a test clock: otherwise one user's clock would end another's reservation. */
  @Instant()
  until: Date;
}

/** A discount that whoever knows its code can have on an order: a part of the sum, or an amount. */
@RecordOf({
  collection: 'coupons',
  noun: 'coupon',
  cls: 'Coupon',
  touched: 'modified',
  deleted: 'delete',
  indexes: [
    { fields: { company: 1, code_key: 1 } },
    { fields: { company: 1, name: 1, _id: 1 } },
    { fields: { company: 1, created: -1, _id: -1 } },
    { fields: { search_grams: 1, company: 1 } },
  ],
})
export class CouponRecord extends OwnedRecord {
  @Text({ optional: true })
  name: string | null;

  @Text({
    min: 1,
    max: 64,
    pattern: /^\S(.*\S)?$/,
    description: 'unique in the company, whatever its case; 6 characters are drawn when it is left out',
  })
  code: string;

  @Currency({ optional: true, description: 'needed with amount_off' })
  currency: string | null;

  @Fraction({ optional: true, description: '0.25 is 25 %; either this or amount_off' })
  percent_off: number | null;

  @Amount({ optional: true, description: 'taken off the sum of an order; either this or percent_off' })
  amount_off: number | null;

  @Instant({ description: 'when it is not given, the moment of creation' })
  starting_date: Date;

  @Instant({ optional: true, description: 'from then on the coupon cannot be used' })
  ending_date: Date | null;

  @Integer({
    min: 1,
    optional: true,
    description: 'how often the coupon can be used; any number of times without',
  })
  max_redemptions: number | null;

  @Integer({ default: 0, description: 'how often it was used' })
  used_count: number;

  @Flag({ default: true })
  active: boolean;

  @Flag({ default: false })
  delete: boolean;

  /** The code in lower case, by which it is found. */
  @Written({ hidden: true })
  code_key: string;

  /** Places that are held for orders until they are paid. Those that ran out hold nothing. */
  @ListOf(() => Reservation, { hidden: true, default: () => [] })
  reservations: Reservation[];

  /** What searches look into, in lower case. */
  @Written({ hidden: true, unread: true })
  search_text: string;

  /** The index of search_text. */
  @Written({ hidden: true, unread: true })
  search_grams: number[];

  @Instant({ last: true })
  modified: Date;
}
