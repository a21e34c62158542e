import type { EventKind } from '@commerce/kernel';
import { ANY_DATE } from '@commerce/data';
import {
  Amount,
  Choice,
  Currency,
  Decimal,
  Fraction,
  Instant,
  ListOf,
  LongText,
  OwnedRecord,
  RecordOf,
  Ref,
  Refs,
  Text,
  Written,
  newId,
  type Id,
} from '@commerce/records';

import { priceOrder } from '../domain/order-pricing.js';
import type { OrderBreakdown } from '../domain/order-breakdown.js';
import { ORDER_STATUSES, type OrderStatus } from '../domain/order-lifecycle.js';

/** Number of payments that an order shows, the newest ones; the list of payments has all of them. */
export const SHOWN_PAYMENTS = 24;

/** A sub-product at the price that the order keeps. */
export class OrderSubProduct {
  @Ref('product')
  product: Id;

  @Text({ description: 'its name when the order was made' })
  name: string;

  @Amount({ description: 'its price when the order was made' })
  price: number;

  @Amount({ description: 'that price less the discount of the product' })
  final_price: number;

  @Fraction({ description: '0.25 is 25 %' })
  vat: number;
}

/** One line of an order, at the prices of its creation. */
export class OrderItem extends OrderSubProduct {
  @Decimal({ min: 0, max: 1_000_000, description: 'how many, or how much, of the product' })
  quantity: number;

  @Fraction({ description: 'of this line, on top of the discounts of its products' })
  discount: number;

  @ListOf(() => OrderSubProduct, {
    max: 100,
    description: 'the sub-products that are bought with it, one of each for one of the product',
  })
  sub_products: OrderSubProduct[];

  @Amount({ description: 'of the whole line, before the coupon' })
  amount: number;

  @Amount({ description: "this line's share of the coupon" })
  coupon: number;

  @Amount({ description: 'amount less coupon' })
  total: number;
}

/** A one-off purchase of a customer, at the prices of the time of its creation. */
@RecordOf({
  collection: 'orders',
  noun: 'order',
  cls: 'Order',
  touched: 'updated',
  owner: 'user',
  counted: ['note'],
  sample: sampleOrder,
  list: {
    sorts: ['created', 'updated', 'amount', '_id'],
    by: { user: ['created', 'updated'], status: ['created'] },
  },
  indexes: [
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
    { fields: { company: 1, coupon_id: 1, status: 1 } },
    { fields: { test_clock: 1, auth_due: 1 }, options: { partialFilterExpression: { auth_due: ANY_DATE } } },
    { fields: { coupon_due: 1 }, options: { partialFilterExpression: { coupon_due: ANY_DATE } } },
  ],
})
export class OrderRecord extends OwnedRecord {
  @Ref('user', { description: 'who buys' })
  user: Id;

  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @Choice(ORDER_STATUSES, {
    default: 'PENDING_PAYMENT',
    description: 'whether it is paid, and what became of it',
  })
  status: OrderStatus;

  @ListOf(() => OrderItem, {
    max: 100,
    packed: true,
    description: 'what is bought, at the prices of the moment in which the order was made',
  })
  items: OrderItem[];

  @Currency({ description: 'ISO 4217 code, that of the products' })
  currency: string;

  @Amount({ description: 'what is to be paid, VAT included' })
  amount: number;

  @Text({ optional: true, max: 64, description: 'the code of the coupon' })
  coupon: string | null;

  @Written({
    packed: true,
    description: 'inputs, rules and rounding steps from which the amount can be recomputed',
  })
  breakdown: OrderBreakdown;

  @Ref('payment method', { optional: true, description: 'what it is, or was last to be, paid with' })
  payment_method: Id | null;

  @Ref('payment', { optional: true, description: 'the payment that the order counts on' })
  payment: Id | null;

  @Refs('payment', { description: `the newest ${String(SHOWN_PAYMENTS)}, the oldest first` })
  payments: Id[];

  @Text({
    optional: true,
    max: 4096,
    description:
      'the page on which the customer can pay; shown to admins where the customer has to authenticate',
  })
  pay_url: string | null;

  @LongText({ optional: true, description: 'short description' })
  note: string | null;

  @Ref('coupon', { optional: true, hidden: true })
  coupon_id: Id | null;

  /**
   * Date at which a sweep checks whether the coupon reservation is still needed; real time. Null without a reservation.
   */
  @Instant({ optional: true, hidden: true })
  coupon_due: Date | null;

  /** Date at which a payment that waits for authentication is abandoned; the customer's time. Null while none waits. */
  @Instant({ optional: true, hidden: true })
  auth_due: Date | null;

  @Ref('test clock', { optional: true, hidden: true })
  test_clock: Id | null;

  @Instant({ last: true })
  updated: Date;
}

/** An order of one product, not paid yet. */
function sampleOrder(kind: EventKind): Partial<OrderRecord> {
  const product = newId();
  const line = { product: product.toHexString(), name: 'Sample product', price: 10, discount: 0, vat: 0.19 };
  const lines = [{ ...line, quantity: 1, item_discount: 0, sub_products: [] }];
  const { amount, items, breakdown } = priceOrder({
    currency: 'EUR',
    tax_behavior: 'inclusive',
    coupon: null,
    lines,
  });
  return {
    status: kind === 'order.cancelled' ? 'CANCELLED' : 'PENDING_PAYMENT',
    items: items.map((item) => ({ ...item, product, sub_products: [] })),
    currency: 'EUR',
    amount,
    breakdown,
  };
}
