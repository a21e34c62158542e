import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ConfirmPaymentBody, Payments, RefundPaymentBody, PaymentRecord } from '@commerce/payments';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { AdminOnly, UserOrAdmin } from '../http/access.js';
import { Answers } from '../http/answers.js';
import { BodyOf, Calling, Id, RawQueryOf } from '../http/params.js';

@ApiTags('payments')
@Controller('payments')
export class PaymentsController {
  constructor(private readonly desk: Payments) {}

  @Get()
  @UserOrAdmin()
  @Answers([PaymentRecord])
  list(@Calling() caller: Caller, @RawQueryOf() query: RawQuery): Promise<Page<PaymentRecord>> {
    return this.desk.list(caller, query);
  }

  @Get(':id')
  @UserOrAdmin()
  @Answers(PaymentRecord)
  get(@Calling() caller: Caller, @Id() id: string): Promise<PaymentRecord> {
    return this.desk.get(caller, id);
  }

  @Post(':id/confirm')
  @UserOrAdmin()
  @Answers(PaymentRecord)
  confirm(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(ConfirmPaymentBody) body: ConfirmPaymentBody,
  ): Promise<PaymentRecord> {
    return this.desk.confirm(caller, id, body);
  }

  @Post(':id/refunds')
  @AdminOnly()
  @Answers(PaymentRecord)
  refund(
    @Calling() caller: Caller,
    @Id() id: string,
    @BodyOf(RefundPaymentBody) body: RefundPaymentBody,
  ): Promise<PaymentRecord> {
    return this.desk.refund(caller, id, body);
  }
}
