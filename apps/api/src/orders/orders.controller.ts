import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateOrderBody,
  ListOrdersQuery,
  OrderCreator,
  OrderReader,
  OrderRecord,
  Orders,
  PayOrderBody,
  UpdateOrderBody,
  type OrderOutcome,
} from '@commerce/orders';
import { PaymentReader, PaymentRecord } from '@commerce/payments';
import type { Caller, Page } from '@commerce/data';

import { BeyondQuota, UserOrAdmin } from '../http/access.js';
import { AUTHENTICATE, Answers, AnswersAlso, Describe, Faults, TriesCards } from '../http/answers.js';
import { TakesCoupon } from '../http/coupons/takes-coupon.js';
import { Post, Put } from '../http/methods.js';
import { ResumedBy, ShownBy } from '../http/idempotency/idempotency.notes.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import type { RecordReply } from '../http/replies/reply.adapter.js';
import { replyTo } from './order-replies.js';

const PAYING = [
  'amount.below_minimum',
  'coupon.currency_differs',
  'coupon.already_redeemed',
  'coupon.expired',
  'coupon.inactive',
  'coupon.not_for_orders',
  'coupon.not_for_these_products',
  'coupon.not_started',
  'coupon.too_many_reserved',
  'coupon.used_up',
  'payment.declined',
  'payment_method.incomplete',
  'payment_method.unknown',
];

const REPLIES =
  '200 with the order; 402 where the card was declined; 422 whose body is the payment where the customer, who is ' +
  'there, must authenticate: go on with its `metadata`, then confirm the payment.';

@ApiTags('orders')
@Controller('orders')
export class OrdersController {
  constructor(
    private readonly orders: Orders,
    private readonly creator: OrderCreator,
    private readonly reader: OrderReader,
    private readonly payments: PaymentReader,
  ) {}

  @Describe(
    'Create an order',
    `Prices are kept as they are now. With a payment method it is paid at once: ${REPLIES}`,
  )
  @Post()
  @TakesCoupon()
  @TriesCards()
  @UserOrAdmin()
  @ResumedBy('resume')
  @ShownBy('get')
  @Answers(OrderRecord)
  @AnswersAlso(422, PaymentRecord, AUTHENTICATE)
  @Faults(
    ...PAYING,
    'amount.rounds_to_zero',
    'coupon.not_usable',
    'coupon.unknown',
    'product.currency_differs',
    'product.inactive',
    'product.not_a_sub_product',
    'product.parent_required',
    'product.unknown',
    'items.too_many',
    'quantity.not_in_steps',
    'role.forbidden',
    'user.unknown',
  )
  async create(
    @Calling() caller: Caller,
    @BodyOf(CreateOrderBody) body: CreateOrderBody,
  ): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.creator.create(caller, body));
  }

  @Describe('List orders', 'The newest first. Users see their own orders only.')
  @Get()
  @UserOrAdmin()
  @Answers([OrderRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListOrdersQuery) query: ListOrdersQuery,
  ): Promise<Page<OrderRecord>> {
    return this.reader.list(caller, query);
  }

  @Describe(
    'Retrieve an order',
    'Where the customer has to authenticate, an admin also gets `pay_url`, the page to send to the customer.',
  )
  @Get(':id')
  @UserOrAdmin()
  @Answers(OrderRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<OrderRecord> {
    return this.reader.get(caller, id);
  }

  @Describe('Update an order', 'Changes its note; nothing else of an order can change.')
  @Put(':id')
  @UserOrAdmin()
  @Answers(OrderRecord)
  async update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateOrderBody) body: UpdateOrderBody,
  ): Promise<OrderRecord> {
    return this.reader.shown(caller, await this.orders.update(caller, id, body));
  }

  @Describe('Pay an order', `For the first time, or once more: ${REPLIES}`)
  @Post(':id/pay')
  @BeyondQuota()
  @TriesCards()
  @UserOrAdmin()
  @ResumedBy('resume')
  @ShownBy('get')
  @Answers(OrderRecord)
  @AnswersAlso(422, PaymentRecord, AUTHENTICATE)
  @Faults(...PAYING, 'order.state_conflict', 'payment.too_many_attempts', 'payment_method.missing')
  async pay(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(PayOrderBody) body: PayOrderBody,
  ): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.orders.pay(caller, id, body));
  }

  @Describe('Cancel an order', 'One that is not paid. Money that comes in nevertheless is given back.')
  @Post(':id/cancel')
  @BeyondQuota()
  @UserOrAdmin()
  @Answers(OrderRecord)
  @Faults('order.state_conflict')
  cancel(@Calling() caller: Caller, @Id() id: string): Promise<OrderRecord> {
    return this.orders.cancel(caller, id);
  }

  /** Replies to the repetition of a request whose process died after it had written its order or its payment. */
  async resume(caller: Caller, written: string): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.orders.resume(caller, written));
  }

  private async answer(caller: Caller, outcome: OrderOutcome): Promise<OrderRecord | RecordReply> {
    if (outcome.kind === 'order') return this.reader.shown(caller, outcome.order);
    return replyTo(caller, { ...outcome, payment: await this.payments.shown(caller, outcome.payment) });
  }
}
