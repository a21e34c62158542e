import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  DebtReader,
  DebtsQuery,
  RevenueQuery,
  RevenueReader,
  type Debts,
  type Revenue,
} from '@commerce/billing';
import type { Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Calling, QueryOf } from '../http/params.js';
import { DebtsReply, RevenueReply } from './revenue.reply.js';

@ApiTags('subscriptions')
@Controller()
export class RevenueController {
  constructor(
    private readonly revenue: RevenueReader,
    private readonly debts: DebtReader,
  ) {}

  @Describe(
    'Retrieve the recurring revenue by month',
    'The price of all subscriptions that grant service after their trial, normalized to a month, and what changed it: new, resumed, higher, lower and lost. Discounts without an end count, others do not; setup fees do not; VAT counts as in the prices. A subscription counts while its payments fail, until it ends. What took longer than a second is answered again for ten times as long; `to` says up to when it counts.',
  )
  @Get('revenue')
  @AdminOnly()
  @Answers(RevenueReply)
  @Faults('test_clock.unknown', 'query.timeout')
  byMonth(@Calling() caller: Caller, @QueryOf(RevenueQuery) query: RevenueQuery): Promise<Revenue> {
    return this.revenue.recent(caller, query);
  }

  @Describe(
    'Retrieve the open debts by age',
    'What subscriptions owe, ended ones included, by currency, collection state and the days since when they owe without a break.',
  )
  @Get('debts')
  @AdminOnly()
  @Answers(DebtsReply)
  @Faults('test_clock.unknown', 'query.timeout')
  byAge(@Calling() caller: Caller, @QueryOf(DebtsQuery) query: DebtsQuery): Promise<Debts> {
    return this.debts.debts(caller, query);
  }
}
