import { Amount, Currency, Instant, Integer, ListOf, Text } from '@commerce/records';

/** The sum of the charges in one currency in one month. */
export class ForecastAmountReply {
  @Text({ description: 'the calendar month', example: '2026-01' })
  month: string;

  @Currency()
  currency: string;

  @Amount({ description: 'the sum of what cards pay, in major units of the currency' })
  amount: number;

  @Amount({ description: 'the sum of what the balances of users pay beside the amount' })
  credit_applied: number;

  @Integer({ description: 'how many charges' })
  charges: number;
}

/** The coming charges of all live subscriptions of a company. */
export class ForecastReply {
  @Instant({ description: 'from when on charges are added up: now' })
  from: Date;

  @Instant({ description: 'the end of the last month; a charge at this very instant is not included' })
  to: Date;

  @Text({ description: 'that of the company: by it the months are counted', example: 'Europe/Berlin' })
  timezone: string;

  @Integer({ description: 'how many live subscriptions were added up' })
  subscriptions: number;

  @Integer({
    description:
      'live subscriptions that billing does not charge: they are held, or their price cannot be computed',
  })
  not_included: number;

  @ListOf(() => ForecastAmountReply, { description: 'by month, then by currency' })
  amounts: ForecastAmountReply[];
}
