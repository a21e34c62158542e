import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreatePaymentMethodBody,
  DeletePaymentMethodQuery,
  ListPaymentMethodsQuery,
  PaymentMethods,
  UpdatePaymentMethodBody,
  PaymentMethodRecord,
} from '@commerce/payments';
import type { Caller, Page } from '@commerce/platform';

import { UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

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
  list(
    @Calling() caller: Caller,
    @QueryOf(ListPaymentMethodsQuery) query: ListPaymentMethodsQuery,
  ): Promise<Page<PaymentMethodRecord>> {
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
  @Answers(PaymentMethodRecord)
  delete(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(DeletePaymentMethodQuery) query: DeletePaymentMethodQuery,
  ): Promise<PaymentMethodRecord> {
    return this.methods.delete(caller, id, query);
  }
}
