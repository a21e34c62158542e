import { Amount, Currency, Text, listQuery, sortsOf } from '@commerce/records';

import { CreditRecord } from './credit.record.js';

export class GrantCreditBody {
  @Amount({ signed: true, description: 'what is added to the balance; a negative amount takes back' })
  amount: number;

  @Currency()
  currency: string;

  @Text({ optional: true, max: 1024, description: 'why; kept with the entry' })
  note?: string | null;
}

export class ListCreditsQuery extends listQuery({
  sortable: sortsOf(CreditRecord),
  sort: '-number',
  dates: ['created'],
}) {}
