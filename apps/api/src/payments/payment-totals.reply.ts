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

  @Amount({ description: 'waiting for the customer to authenticate, or disputed' })
  at_risk: number;

  @Amount({ description: 'refused; a retry, or a later payment, may still collect it' })
  failed: number;

  @Amount({ description: 'under way' })
  open: number;
}
