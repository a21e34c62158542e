import { Injectable } from '@nestjs/common';
import { FindsRecords, foundByIds, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { SubscriptionStore } from '../subscription-record/subscription.store.js';

/** Finds subscriptions by id. */
@Injectable()
@FindsRecords()
export class SubscriptionFinder implements RecordFinder {
  readonly place = 1;

  constructor(private readonly store: SubscriptionStore) {}

  async find(company: Id, sought: Sought): Promise<FoundRecord[]> {
    const found = await foundByIds(this.store.in(company), sought);
    return found.map(({ _id, human_id, user, plan, status, created }) => ({
      object_type: 'subscription',
      ...{ _id, human_id, user, plan, status, created },
    }));
  }
}
