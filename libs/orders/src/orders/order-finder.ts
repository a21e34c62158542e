import { Injectable } from '@nestjs/common';
import { FindsRecords, foundByIds, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { OrderStore } from './order.store.js';

/** Finds orders by id. */
@Injectable()
@FindsRecords()
export class OrderFinder implements RecordFinder {
  readonly place = 2;

  constructor(private readonly store: OrderStore) {}

  async find(company: Id, sought: Sought): Promise<FoundRecord[]> {
    const found = await foundByIds(this.store.in(company), sought);
    return found.map(({ _id, human_id, user, status, amount, currency, created }) => ({
      object_type: 'order',
      ...{ _id, human_id, user, status, amount, currency, created },
    }));
  }
}
