import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  CreatePaymentMethodBody,
  PaymentMethods,
  UpdatePaymentMethodBody,
  PaymentMethodRecord,
} from '@commerce/payments';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, RawQueryOf } from '../http/params.js';

@ApiTags('payment methods')
@Controller('payment_methods')
export class PaymentMethodsController {
  constructor(private readonly methods: PaymentMethods) {}

  @Post()
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  create(
    @Calling() caller: Caller,
    @BodyOf(CreatePaymentMethodBody) body: CreatePaymentMethodBody,
  ): Promise<PaymentMethodRecord> {
    return this.methods.create(caller, body);
  }

  @Get()
  @UserOrAdmin()
  @Answers([PaymentMethodRecord])
  list(@Calling() caller: Caller, @RawQueryOf() query: RawQuery): Promise<Page<PaymentMethodRecord>> {
    return this.methods.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentMethodRecord> {
    return this.methods.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
  @Answers(PaymentMethodRecord)
  update(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(UpdatePaymentMethodBody) body: UpdatePaymentMethodBody,
  ): Promise<PaymentMethodRecord> {
    return this.methods.update(caller, id, body);
  }

  @Delete(':id')
  @UserOrAdmin()
  @ApiQuery({ name: 'replacement', required: false, description: 'what live subscriptions use from now on' })
  @Answers(PaymentMethodRecord)
  delete(
    @Calling() caller: Caller,
    @Id() id: string,
    @RawQueryOf() query: RawQuery,
  ): Promise<PaymentMethodRecord> {
    return this.methods.delete(caller, id, query);
  }
}
