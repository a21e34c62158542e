import { Injectable } from '@nestjs/common';
import {
  ANY_TEXT,
  FindsRecords,
  foundByIds,
  type FoundRecord,
  type RecordFinder,
  type Sought,
} from '@commerce/data';
import type { Id } from '@commerce/records';

import { PaymentStore } from '../payments/payment.store.js';

/** Finds payments by id, and by the id of their charge at the card provider. */
@Injectable()
@FindsRecords()
export class PaymentFinder implements RecordFinder {
  readonly place = 3;

  constructor(private readonly store: PaymentStore) {}

  async find(company: Id, sought: Sought): Promise<FoundRecord[]> {
    const records = this.store.in(company);
    const charged = { 'provider.charge_id': { $eq: sought.text, ...ANY_TEXT } };
    const found =
      sought.id === null
        ? await records.many(charged, { limit: 1 })
        : await foundByIds(records, { ...sought, human_id: null });
    return found.map(({ _id, user, status, amount, currency, created }) => ({
      object_type: 'payment',
      ...{ _id, user, status, amount, currency, created },
    }));
  }
}
