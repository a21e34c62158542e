import {
  Amount,
  Choice,
  Currency,
  Integer,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  type Id,
} from '@commerce/records';

export const CREDIT_KINDS = ['granted', 'taken_back', 'applied', 'returned', 'refunded', 'credited'] as const;
export type CreditKind = (typeof CREDIT_KINDS)[number];

/** One entry in the ledger of a user's balance. It is written in the commit that changes the balance, and stays. */
@RecordOf({
  collection: 'credits',
  noun: 'credit',
  cls: 'Credit',
  touched: 'updated',
  owner: 'user',
  list: { sorts: ['number'], within: ['user'] },
})
export class CreditRecord extends OwnedRecord {
  @Ref('user')
  user: Id;

  @Integer({ min: 1, description: 'the order of the entries of a user; there are gaps' })
  number: number;

  @Amount({
    signed: true,
    description: 'what the entry adds to the balance; negative where it takes from it',
  })
  amount: number;

  @Currency()
  currency: string;

  @Choice(CREDIT_KINDS, {
    fold: 'lower',
    description:
      'granted and taken_back: by an admin; applied: to a payment; returned: by a payment that failed for good; refunded: by an admin who refunded a payment; credited: by a change of a subscription',
  })
  kind: CreditKind;

  @Amount({ description: 'the balance in this currency after the entry' })
  balance: number;

  @Text({ optional: true, description: 'the reason that the request gave' })
  note: string | null;

  @Ref('payment', { optional: true })
  payment: Id | null;

  @Ref('subscription', { optional: true })
  subscription: Id | null;
}
