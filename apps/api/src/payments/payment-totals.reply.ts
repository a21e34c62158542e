import { Amount, Currency, Instant, Integer, ListOf } from '@commerce/records';

/** The outcomes of the payments in one currency. */
export class CurrencyTotalsReply {
  @Currency({ description: 'in which they were made' })
  currency: string;

  @Integer({ description: 'how many payments' })
  payments: number;

  @Amount({ description: 'taken from customers, before refunds' })
  collected: number;

  @Amount({ description: 'what of the collected amount payments before had failed to collect' })
  recovered: number;

  @Amount({ description: 'given back of the collected amount' })
  refunded: number;

  @Amount({ description: 'waiting for the customer to authenticate, or disputed' })
  at_risk: number;

  @Amount({ description: 'refused; a retry, or a later payment, may still collect it' })
  failed: number;

  @Amount({ description: 'what of the failed amount payments before had failed to collect already' })
  failed_again: number;

  @Amount({ description: 'under way' })
  open: number;
}

/** The outcomes of the payments in a time range. */
export class PaymentTotalsReply {
  @Instant({ description: 'payments created from this date on' })
  from: Date;

  @Instant({ description: 'and before this date' })
  to: Date;

  @ListOf(() => CurrencyTotalsReply, { description: 'one for each currency' })
  totals: CurrencyTotalsReply[];
}
