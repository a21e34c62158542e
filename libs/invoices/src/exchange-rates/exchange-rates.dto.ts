import { Currency, Decimal, Integer, ListOf, Text, listQuery, sortsOf } from '@commerce/records';

import { ExchangeRateRecord } from './exchange-rate.record.js';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Rates of one request. */
const MOST_RATES = 1000;

export class ListExchangeRatesQuery extends listQuery({
  sortable: sortsOf(ExchangeRateRecord),
  sort: '-day',
  dates: ['created'],
}) {
  @Currency({ optional: true, description: 'rates of this currency only' })
  currency: string | null;

  @Text({ optional: true, pattern: DAY, description: 'rates of this day only', example: '2026-11-25' })
  day: string | null;
}

export class PutExchangeRate {
  @Currency({ description: 'another one than the euro', example: 'USD' })
  currency: string;

  @Text({ pattern: DAY, description: 'YYYY-MM-DD', example: '2026-11-25' })
  day: string;

  @Decimal({
    min: 0.000_001,
    max: 1_000_000_000,
    description: 'what one euro is in the currency',
    example: 1.085,
  })
  rate: number;
}

export class PutExchangeRatesBody {
  @ListOf(() => PutExchangeRate, { min: 1, max: MOST_RATES, description: 'each for a currency and a day' })
  rates: PutExchangeRate[];
}

/** The rates that were written. */
export class PutExchangeRatesReply {
  @Integer({ description: 'rates written' })
  imported: number;

  @Text({ description: 'the first day', example: '2026-11-25' })
  from: string;

  @Text({ description: 'the last day', example: '2026-11-25' })
  to: string;
}
