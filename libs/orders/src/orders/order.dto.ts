import {
  sortsOf,
  Amount,
  Choice,
  Decimal,
  Flag,
  Fraction,
  ListOf,
  Ref,
  Refs,
  Text,
  createBody,
  listQuery,
  updateBody,
  type Id,
} from '@commerce/records';

import { ORDER_STATUSES, type OrderStatus } from '../domain/order-lifecycle.js';
import { OrderRecord } from './order.record.js';

const OFF_SESSION =
  'whether the customer is away: true unless an admin says otherwise; a user is always there';

/** One product to buy. */
export class OrderItemBody {
  @Ref('product')
  product: Id;

  @Decimal({
    default: 1,
    min: 0,
    max: 1_000_000,
    description:
      'how many of it; more than 0, a multiple of the `quantity_step` of the product and its sub-products: for a user 1 where a product has none',
  })
  quantity: number;

  @Refs('product', { default: () => [], max: 100, description: 'sub-products that go with it' })
  sub_products: Id[];

  @Fraction({ default: 0, description: 'discount on this line; only an admin can give one' })
  discount: number;
}

export class CreateOrderBody extends createBody(OrderRecord, ['note', 'payment_method']) {
  @ListOf(() => OrderItemBody, { min: 1, max: 100, description: 'what is bought' })
  items: OrderItemBody[];

  @Text({ optional: true, min: 1, max: 64, description: 'the code of a coupon, in any case' })
  coupon: string | null;

  @Ref('user', { optional: true, description: 'who buys; an admin must say it, a user need not' })
  user: Id | null;

  @Flag({ optional: true, description: OFF_SESSION })
  off_session: boolean | null;
}

export class UpdateOrderBody extends updateBody(OrderRecord, ['note']) {}

export class PayOrderBody {
  @Ref('payment method', {
    optional: true,
    description: 'what to pay with; the payment method that the order names when it is left out',
  })
  payment_method?: Id | null;

  @Flag({ optional: true, description: OFF_SESSION })
  off_session?: boolean | null;
}

export class ListOrdersQuery extends listQuery({
  sortable: sortsOf(OrderRecord),
  sort: '-created',
  dates: ['created', 'updated'],
}) {
  @Ref('user', { optional: true, description: 'orders of this user' })
  user: Id | null;

  @Choice(ORDER_STATUSES, { optional: true, description: 'orders with this status only' })
  status: OrderStatus | null;

  @Amount({ optional: true, description: 'orders of this amount and above only' })
  min_amount: number | null;

  @Amount({ optional: true, description: 'orders of this amount and below only' })
  max_amount: number | null;
}
