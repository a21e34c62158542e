import { Injectable } from '@nestjs/common';
import { FindsRecords, foundByWords, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { UserStore } from './user.store.js';

/** Finds users by id, and by the beginnings of the words of name, e-mail and reference. */
@Injectable()
@FindsRecords()
export class UserFinder implements RecordFinder {
  readonly place = 0;

  constructor(private readonly store: UserStore) {}

  async find(company: Id, sought: Sought, limit: number): Promise<FoundRecord[]> {
    const found = await foundByWords(this.store.in(company), sought, limit);
    return found.map(({ _id, human_id, name, email, created }) => ({
      object_type: 'user',
      ...{ _id, human_id, name, email, created },
    }));
  }
}
