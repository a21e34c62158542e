import { Amount, Choice, Currency, Decimal, Instant, Integer, ListOf, Text } from '@commerce/records';

/** The recurring revenue of one month in one currency. */
export class RevenueMonthReply {
  @Text({ description: 'the calendar month', example: '2026-01' })
  month: string;

  @Currency()
  currency: string;

  @Amount({
    description: 'recurring revenue of a month at the end of this one; in the current month, now',
  })
  recurring: number;

  @Integer({ description: 'how many subscriptions that is' })
  subscriptions: number;

  @Amount({ description: 'from subscriptions that count for the first time' })
  added: number;

  @Amount({ description: 'from subscriptions that count again, after a pause' })
  resumed: number;

  @Amount({ description: 'from another plan, quantity or discount that costs more' })
  expanded: number;

  @Amount({ description: 'from another plan, quantity or discount that costs less' })
  contracted: number;

  @Amount({ description: 'of subscriptions that ended or were paused' })
  lost: number;

  @Decimal({
    optional: true,
    description:
      'the lost share of the recurring revenue at the start of the month: 0.05 is 5 %; null where there was none',
  })
  churn: number | null;
}

/** The recurring revenue of a company by month. */
export class RevenueReply {
  @Instant({ description: 'the start of the first month' })
  from: Date;

  @Instant({ description: 'up to when: now' })
  to: Date;

  @Text({ description: 'that of the company: by it the months are counted', example: 'Europe/Berlin' })
  timezone: string;

  @Integer({ description: 'subscriptions whose price cannot be computed' })
  not_included: number;

  @ListOf(() => RevenueMonthReply, { description: 'by month, then by currency' })
  months: RevenueMonthReply[];
}

/** The debts of one age in one currency and collection state. */
export class DebtReply {
  @Currency({ description: 'in which it is owed' })
  currency: string;

  @Choice(['RETRYING', 'REQUIRES_AUTH', 'PAST_DUE'], { description: 'what is done about it' })
  collection_state: string;

  @Integer({ description: 'owed for at least this many days' })
  from_days: number;

  @Integer({ optional: true, description: 'and for less than this many; null: any number' })
  to_days: number | null;

  @Integer({ description: 'how many subscriptions' })
  subscriptions: number;

  @Amount({ description: 'what is still owed after the last retry' })
  outstanding_amount: number;

  @Amount({ description: 'what open payments are to collect beyond that' })
  awaiting_amount: number;
}

/** The open debts of a company. */
export class DebtsReply {
  @Instant({ description: 'by when their age is counted' })
  at: Date;

  @ListOf(() => DebtReply, { description: 'by currency, then by age' })
  debts: DebtReply[];
}
