import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ForecastQuery, RecentForecastReader, type Forecast } from '@commerce/billing';
import type { Caller } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe, Faults } from '../http/answers.js';
import { Calling, QueryOf } from '../http/params.js';
import { ForecastReply } from './forecast.reply.js';

@ApiTags('subscriptions')
@Controller('forecast')
export class ForecastController {
  constructor(private readonly reader: RecentForecastReader) {}

  @Describe(
    'Forecast what subscriptions will be charged',
    'The charges that all live subscriptions will come to by themselves, added up by month and currency: the very decisions that billing will make, assuming that each payment succeeds on its date. Payments that are open already are not included. A forecast that took longer than a second is answered again for ten times as long; `from` says from when on it is. Very large companies use the admin command `forecast` instead.',
  )
  @Get()
  @AdminOnly()
  @Answers(ForecastReply)
  @Faults('test_clock.unknown', 'query.timeout')
  forecast(@Calling() caller: Caller, @QueryOf(ForecastQuery) query: ForecastQuery): Promise<Forecast> {
    return this.reader.forecast(caller, query);
  }
}
