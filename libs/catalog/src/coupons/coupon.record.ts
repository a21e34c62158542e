import {
  Amount,
  Choice,
  Currency,
  Flag,
  Fraction,
  Instant,
  Integer,
  ListOf,
  OwnedRecord,
  RecordOf,
  Ref,
  Refs,
  Text,
  Written,
  type Id,
} from '@commerce/records';

/** How many intervals of a subscription a coupon lowers: the first, `duration_in_intervals` of them, or all. */
export const COUPON_DURATIONS = ['ONCE', 'REPEATING', 'FOREVER'] as const;
export type CouponDuration = (typeof COUPON_DURATIONS)[number];

/** The most plans, and the most products, that a coupon can be limited to. */
const MAX_TARGETS = 100;

/** A redemption reserved by an order that is not paid yet, or by a subscription before its first discounted payment. */
export class Reservation {
  @Ref('order', { optional: true })
  order?: Id;

  @Ref('subscription', { optional: true })
  subscription?: Id;

  /** Real time, even for holders on a test clock: otherwise one user's clock would end another's reservation. */
  @Instant()
  until: Date;
}

/** A discount on an order or a subscription for anyone who knows the code: a percentage of the total, or an amount. */
@RecordOf({
  collection: 'coupons',
  noun: 'coupon',
  cls: 'Coupon',
  touched: 'modified',
  deleted: 'delete',
  list: { sorts: ['name', 'created', 'modified'] },
  indexes: [{ fields: { company: 1, code_key: 1 } }],
})
export class CouponRecord extends OwnedRecord {
  @Text({ optional: true, description: 'name for people' })
  name: string | null;

  @Text({
    min: 1,
    max: 64,
    pattern: /^\S(.*\S)?$/,
    description: 'unique in the company, regardless of case; 6 random characters when left out',
  })
  code: string;

  @Currency({ optional: true, description: 'required with amount_off' })
  currency: string | null;

  @Fraction({ optional: true, description: '0.25 is 25 %; either this or amount_off' })
  percent_off: number | null;

  @Amount({
    optional: true,
    description: 'deducted from an order, or from each discounted interval; either this or percent_off',
  })
  amount_off: number | null;

  @Choice(COUPON_DURATIONS, {
    default: 'ONCE',
    description: 'the intervals of a subscription that it lowers; orders disregard it',
  })
  duration: CouponDuration;

  @Integer({
    min: 1,
    max: 1000,
    optional: true,
    description: 'how many intervals it lowers; required with REPEATING, refused without',
  })
  duration_in_intervals: number | null;

  @Refs('plan', {
    default: () => [],
    max: MAX_TARGETS,
    description: 'the plans that it is good for; all where empty',
  })
  plans: Id[];

  @Refs('product', {
    default: () => [],
    max: MAX_TARGETS,
    description: 'it lowers the lines of an order, or the items of a plan, that name these; all where empty',
  })
  products: Id[];

  @Instant({ description: 'the moment of creation when left out' })
  starting_date: Date;

  @Instant({ optional: true, description: 'the coupon cannot be used from then on' })
  ending_date: Date | null;

  @Integer({
    min: 1,
    optional: true,
    description: 'how often the coupon can be used; unlimited when left out',
  })
  max_redemptions: number | null;

  @Integer({
    min: 1,
    max: 1000,
    optional: true,
    description:
      'how often one customer can use the coupon, on orders and subscriptions together; left out: on one subscription, and on any number of orders',
  })
  max_redemptions_per_user: number | null;

  @Integer({ default: 0, description: 'how often it has been used' })
  used_count: number;

  @Flag({ default: true, description: 'whether it can be used' })
  active: boolean;

  @Flag({ default: false, description: 'whether it was deleted; deleted records are kept' })
  delete: boolean;

  /** The code in lower case, for lookups. */
  @Written({ hidden: true })
  code_key: string;

  /** Redemptions reserved until a payment succeeds. Expired ones no longer count. */
  @ListOf(() => Reservation, { hidden: true, default: () => [] })
  reservations: Reservation[];

  @Instant({ last: true })
  modified: Date;
}
