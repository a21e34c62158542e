import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ExchangeRateRecord,
  ExchangeRates,
  ListExchangeRatesQuery,
  PutExchangeRatesBody,
  PutExchangeRatesReply,
} from '@commerce/invoices';
import type { Caller, Page } from '@commerce/data';

import { AdminOnly } from '../http/access.js';
import { Answers, Describe } from '../http/answers.js';
import { Put } from '../http/methods.js';
import { BodyOf, Calling, QueryOf } from '../http/params.js';

@ApiTags('invoices')
@Controller('exchange_rates')
export class ExchangeRatesController {
  constructor(private readonly rates: ExchangeRates) {}

  @Describe(
    'List exchange rates',
    'What one euro was in other currencies, the latest day first. An invoice in another currency than that of the seller states VAT in both, by the rate of its day or the last one before it.',
  )
  @Get()
  @AdminOnly()
  @Answers([ExchangeRateRecord])
  list(
    @Calling() caller: Caller,
    @QueryOf(ListExchangeRatesQuery) query: ListExchangeRatesQuery,
  ): Promise<Page<ExchangeRateRecord>> {
    return this.rates.list(caller, query);
  }

  @Describe(
    'Set exchange rates',
    'Adds rates of the euro; one of the same currency and day is replaced. Invoices that wait for a rate are made then.',
  )
  @Put()
  @AdminOnly()
  @Answers(PutExchangeRatesReply)
  put(
    @Calling() { company }: Caller,
    @BodyOf(PutExchangeRatesBody) body: PutExchangeRatesBody,
  ): Promise<PutExchangeRatesReply> {
    return this.rates.put(company, body.rates);
  }
}
