import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SubscriptionReader } from '@commerce/billing';
import { ListSubscriptionPaymentsQuery, PaymentReader, PaymentRecord } from '@commerce/payments';
import type { Caller, Page } from '@commerce/data';

import { UserOrAdmin } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Calling, Id, QueryOf } from '../http/params.js';

@ApiTags('payments')
@Controller('subscriptions')
export class SubscriptionPaymentsController {
  constructor(
    private readonly subscriptions: SubscriptionReader,
    private readonly payments: PaymentReader,
  ) {}

  @Describe('List the payments of a subscription', 'The newest first.')
  @Get(':id/payments')
  @UserOrAdmin()
  @Answers([PaymentRecord])
  async list(
    @Calling() caller: Caller,
    @Id() id: string,
    @QueryOf(ListSubscriptionPaymentsQuery) query: ListSubscriptionPaymentsQuery,
  ): Promise<Page<PaymentRecord>> {
    const { _id } = await this.subscriptions.get(caller, id);
    return this.payments.listOfSubscription(caller, _id, query);
  }
}
