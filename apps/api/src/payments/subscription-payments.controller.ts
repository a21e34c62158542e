import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SubscriptionReader } from '@commerce/billing';
import { Payments, PaymentRecord } from '@commerce/payments';
import type { Caller, Page, RawQuery } from '@commerce/platform';

import { UserOrAdmin } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling, Id, RawQueryOf } from '../http/params.js';

@ApiTags('payments')
@Controller('subscriptions')
export class SubscriptionPaymentsController {
  constructor(
    private readonly subscriptions: SubscriptionReader,
    private readonly desk: Payments,
  ) {}

  @Describe('List the payments of a subscription', 'The newest first.')
  @Get(':id/payments')
  @UserOrAdmin()
  @Answers([PaymentRecord])
  async list(
    @Calling() caller: Caller,
    @Id() id: string,
    @RawQueryOf() query: RawQuery,
  ): Promise<Page<PaymentRecord>> {
    const { company, _id } = await this.subscriptions.get(caller, id);
    return this.desk.ofSubscription(company, _id, query);
  }
}
