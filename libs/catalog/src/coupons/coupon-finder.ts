import { Injectable } from '@nestjs/common';
import { FindsRecords, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { SearchTextStore } from '../search/search-text.store.js';
import { foundByText } from '../search/text-finder.js';
import { CouponStore } from './coupon.store.js';

/** Finds coupons by id, and by a part of code or name. */
@Injectable()
@FindsRecords()
export class CouponFinder implements RecordFinder {
  readonly place = 7;

  constructor(
    private readonly store: CouponStore,
    private readonly texts: SearchTextStore,
  ) {}

  async find(company: Id, sought: Sought, limit: number): Promise<FoundRecord[]> {
    const { store, texts } = this;
    const found = await foundByText(
      { store, kind: 'coupon', texts },
      company,
      { ...sought, human_id: null },
      limit,
    );
    return found.map(({ _id, name, code, active, created }) => ({
      object_type: 'coupon',
      status: active ? 'active' : 'inactive',
      ...{ _id, name, code, created },
    }));
  }
}
