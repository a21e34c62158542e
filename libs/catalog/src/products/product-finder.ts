import { Injectable } from '@nestjs/common';
import { FindsRecords, type FoundRecord, type RecordFinder, type Sought } from '@commerce/data';
import type { Id } from '@commerce/records';

import { SearchTextStore } from '../search/search-text.store.js';
import { foundByText } from '../search/text-finder.js';
import { ProductStore } from './product.store.js';

/** Finds products by id, and by a part of name or description. */
@Injectable()
@FindsRecords()
export class ProductFinder implements RecordFinder {
  readonly place = 6;

  constructor(
    private readonly store: ProductStore,
    private readonly texts: SearchTextStore,
  ) {}

  async find(company: Id, sought: Sought, limit: number): Promise<FoundRecord[]> {
    const { store, texts } = this;
    const found = await foundByText({ store, kind: 'product', texts }, company, sought, limit);
    return found.map(({ _id, human_id, name, currency, active, created, ...product }) => ({
      object_type: 'product',
      status: active ? 'active' : 'inactive',
      ...{ _id, human_id, name, amount: product.final_price, currency, created },
    }));
  }
}
