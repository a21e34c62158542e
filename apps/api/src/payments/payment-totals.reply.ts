import { Amount, Currency, Integer } from '@commerce/platform';

/** What became of the payments in one currency. */
export class PaymentTotalsReply {
  @Currency()
  currency: string;

  @Integer({ description: 'how many payments' })
  payments: number;

  @Amount({ description: 'taken from customers, before refunds' })
  collected: number;

  @Amount({ description: 'given back of it' })
  refunded: number;

  @Amount({ description: 'refused, waiting for the customer or disputed, and not given up' })
  at_risk: number;

  @Amount({ description: 'not collected and given up' })
  failed: number;

  @Amount({ description: 'under way' })
  open: number;
}
