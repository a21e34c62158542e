import { Controller, Get, Post, Put } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
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
import type { Caller, Page } from '@commerce/platform';

import { UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { ResumedBy } from '../http/idempotency.interceptor.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';
import type { RecordReply } from '../http/reply.interceptor.js';
import { replyTo } from './order-replies.js';

const DECLINED = ApiResponse({
  status: 402,
  description: 'the card was declined: a problem with `order`, `payment` and `decline_code`',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const AUTHENTICATION = ApiResponse({
  status: 422,
  description:
    'the customer, who is there, must authenticate: the body is the payment. Where the request is invalid: a problem',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Payment' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
});

@ApiTags('orders')
@Controller('orders')
export class OrdersController {
  constructor(
    private readonly orders: Orders,
    private readonly creator: OrderCreator,
    private readonly reader: OrderReader,
  ) {}

  @Post()
  @UserOrAdmin()
  @ResumedBy('resume')
  @Answers(OrderRecord)
  @DECLINED
  @AUTHENTICATION
  async create(
    @Calling() caller: Caller,
    @BodyOf(CreateOrderBody) body: CreateOrderBody,
  ): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.creator.create(caller, body));
  }

  @Get()
  @UserOrAdmin()
  @Answers([OrderRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListOrdersQuery) query: ListOrdersQuery,
  ): Promise<Page<OrderRecord>> {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(OrderRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<OrderRecord> {
    return this.reader.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(OrderRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdateOrderBody) body: UpdateOrderBody,
  ): Promise<OrderRecord> {
    return this.orders.update(caller, id, body);
  }

  @Post(':id/pay')
  @UserOrAdmin()
  @ResumedBy('resume')
  @Answers(OrderRecord)
  @DECLINED
  @AUTHENTICATION
  async pay(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(PayOrderBody) body: PayOrderBody,
  ): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.orders.pay(caller, id, body));
  }

  @Post(':id/cancel')
  @UserOrAdmin()
  @Answers(OrderRecord)
  cancel(@Calling() caller: Caller, @Id() id: string): Promise<OrderRecord> {
    return this.orders.cancel(caller, id);
  }

  /** What the request would have been answered whose process died after it had written its order, or its payment. */
  async resume(caller: Caller, written: string): Promise<OrderRecord | RecordReply> {
    return this.answer(caller, await this.orders.resume(caller, written));
  }

  private async answer(caller: Caller, outcome: OrderOutcome): Promise<OrderRecord | RecordReply> {
    return outcome.kind === 'order' ? this.reader.shown(caller, outcome.order) : replyTo(outcome);
  }
}
