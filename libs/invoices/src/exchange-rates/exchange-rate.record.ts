import { Currency, Decimal, Instant, OwnedRecord, RecordOf, Text } from '@commerce/records';

/** What one euro is in a currency, on a day. */
@RecordOf({
  collection: 'exchange_rates',
  noun: 'exchange_rate',
  cls: 'ExchangeRate',
  touched: 'updated',
  list: { sorts: ['day', 'created'], by: { currency: ['day', 'created'], day: ['created'] } },
  indexes: [{ fields: { company: 1, currency: 1, day: 1 }, options: { unique: true } }],
})
export class ExchangeRateRecord extends OwnedRecord {
  @Currency()
  currency: string;

  @Text({ description: 'YYYY-MM-DD', example: '2026-11-25' })
  day: string;

  @Decimal({ description: 'what one euro is in the currency', example: 1.085 })
  rate: number;

  @Instant({ last: true })
  updated: Date;
}
