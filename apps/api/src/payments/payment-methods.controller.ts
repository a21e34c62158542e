import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import {
  CreatePaymentMethodBody,
  PaymentMethods,
  UpdatePaymentMethodBody,
  type PaymentMethodRecord,
} from '@commerce/payments';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { UserOrAdmin } from '../http/access.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('payment methods')
@Controller('payment_methods')
export class PaymentMethodsController {
  constructor(private readonly methods: PaymentMethods) {}

  @Post()
  @UserOrAdmin()
  create(
    @Calling() caller: Caller,
    @BodyOf(CreatePaymentMethodBody) body: CreatePaymentMethodBody,
  ): Promise<PaymentMethodRecord> {
    return this.methods.create(caller, body);
  }

  @Get()
  @UserOrAdmin()
  list(@Calling() caller: Caller, @QueryOf() query: RawQuery): Promise<Page<PaymentMethodRecord>> {
    return this.methods.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentMethodRecord> {
    return this.methods.get(caller, id);
  }

  @Put(':id')
  @UserOrAdmin()
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
  delete(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf() query: RawQuery,
  ): Promise<PaymentMethodRecord> {
    return this.methods.delete(caller, id, query);
  }
}
