import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ConfirmPaymentBody,
  ListPaymentsQuery,
  PaymentReader,
  PaymentRecord,
  Payments,
  RefundPaymentBody,
} from '@commerce/payments';
import type { Caller, Page } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('payments')
@Controller('payments')
export class PaymentsController {
  constructor(
    private readonly payments: Payments,
    private readonly reader: PaymentReader,
  ) {}

  @Get()
  @UserOrAdmin()
  @Answers([PaymentRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListPaymentsQuery) query: ListPaymentsQuery,
  ): Promise<Page<PaymentRecord>> {
    return this.reader.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(PaymentRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentRecord> {
    return this.reader.get(caller, id);
  }

  @Post(':id/confirm')
  @UserOrAdmin()
  @Answers(PaymentRecord)
  confirm(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(ConfirmPaymentBody) body: ConfirmPaymentBody,
  ): Promise<PaymentRecord> {
    return this.payments.confirm(caller, id, body);
  }

  @Post(':id/refunds')
  @AdminOnly()
  @Answers(PaymentRecord)
  refund(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(RefundPaymentBody) body: RefundPaymentBody,
  ): Promise<PaymentRecord> {
    return this.payments.refund(caller, id, body);
  }
}
