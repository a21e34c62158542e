import { Injectable } from '@nestjs/common';
import { type Caller, type Page } from '@commerce/data';
import { pageOf, type PageQuery } from '@commerce/records';

import { SearchReader } from '../search/search-reader.js';
import type { CouponRecord } from './coupon.record.js';
import { CouponStore } from './coupon.store.js';
import type { ListCouponsQuery, SearchCouponsQuery } from './coupons.dto.js';

/** Reads the coupons of a company. */
@Injectable()
export class CouponReader {
  constructor(
    private readonly store: CouponStore,
    private readonly searches: SearchReader,
  ) {}

  async get(caller: Caller, id: string): Promise<CouponRecord> {
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListCouponsQuery): Promise<Page<CouponRecord>> {
    return this.store.for(caller).page(couponPage(query));
  }

  async search(caller: Caller, query: SearchCouponsQuery): Promise<Page<CouponRecord>> {
    const records = this.store.for(caller);
    const search = { records, kind: 'coupon', asked: query.query, shortIds: false } as const;
    return this.searches.page(search, couponPage(query));
  }
}

/** The page of coupons that a query asks for. */
function couponPage(query: ListCouponsQuery): PageQuery {
  return pageOf(query, {
    ...(query.included_deleted ? {} : { delete: false }),
    ...(query.active === null ? {} : { active: query.active }),
  });
}
