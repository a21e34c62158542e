import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import type { Caller, Page } from '@commerce/data';
import type { Filter, PageQuery } from '@commerce/records';

import { SearchReader } from '../search/search-reader.js';
import {
  placeOf,
  productPage,
  tagsOf,
  type ListProductsQuery,
  type SearchProductsQuery,
  type TaggedProductsQuery,
} from './product-query.js';
import { isVisible } from './product-visibility.js';
import { ProductVisibilityReader } from './product-visibility-reader.js';
import type { ProductRecord } from './product.record.js';
import { ProductStore } from './product.store.js';

type Read = (page: PageQuery) => Promise<Page<ProductRecord>>;

/** Reads, lists and searches the products visible to a caller. */
@Injectable()
export class ProductReader {
  constructor(
    private readonly store: ProductStore,
    private readonly searches: SearchReader,
    private readonly visibilities: ProductVisibilityReader,
  ) {}

  /** @throws Fault `product.not_found`, even for a product that the caller may not see */
  async get(caller: Caller, id: string): Promise<ProductRecord> {
    const product = await this.store.for(caller).show(id);
    if (isVisible(product, await this.visibilities.for(caller))) return product;
    throw fault('product.not_found', 'There is no product with this id');
  }

  async list(caller: Caller, query: ListProductsQuery): Promise<Page<ProductRecord>> {
    return this.reading(caller, query)(await this.pageOf(caller, query));
  }

  async search(caller: Caller, query: SearchProductsQuery): Promise<Page<ProductRecord>> {
    const records = this.store.for(caller);
    const place = placeOf(query);
    const search = { records, kind: 'product', asked: query.query, shortIds: true } as const;
    const nearby = {
      read: this.reading(caller, query),
      count: (filter: Filter) =>
        place === null ? records.total(filter) : this.store.totalNear(caller.company, place, filter),
    };
    return this.searches.page({ ...search, ...nearby }, await this.pageOf(caller, query));
  }

  async tagged(caller: Caller, query: TaggedProductsQuery): Promise<Page<ProductRecord>> {
    const narrowing = { tags: { $in: tagsOf(query) }, company: caller.company };
    return this.reading(caller, query)(await this.pageOf(caller, query, narrowing));
  }

  private async pageOf(caller: Caller, query: ListProductsQuery, narrowing?: Filter): Promise<PageQuery> {
    return productPage(await this.visibilities.for(caller), query, narrowing);
  }

  /** Reads in the order of the query or, where it names a place, the nearest first. */
  private reading(caller: Caller, query: ListProductsQuery): Read {
    const place = placeOf(query);
    return (page) =>
      place === null ? this.store.for(caller).page(page) : this.store.near(caller.company, place, page);
  }
}
