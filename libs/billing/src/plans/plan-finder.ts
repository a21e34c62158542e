import { Injectable } from '@nestjs/common';
import { FindsRecords, foundByWords, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { PlanStore } from './plan.store.js';

/** Finds plans by id, and by the beginnings of the words of their names. */
@Injectable()
@FindsRecords()
export class PlanFinder implements RecordFinder {
  readonly place = 5;

  constructor(private readonly store: PlanStore) {}

  async find(company: Id, sought: Sought, limit: number): Promise<FoundRecord[]> {
    const found = await foundByWords(this.store.in(company), sought, limit);
    return found.map(({ _id, human_id, name, currency, ...plan }) => ({
      object_type: 'plan',
      ...{ _id, human_id, name, amount: plan.total_amount, currency, created: plan.created },
    }));
  }
}
