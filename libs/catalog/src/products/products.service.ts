import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { fieldFault } from '@commerce/kernel';
import { UnitsOfWork, type Caller, type UnitOfWork } from '@commerce/data';
import { makeRecord, newId, distinctIds, sameId, type Id } from '@commerce/records';

import { SearchTextStore } from '../search/search-text.store.js';
import { ProductContentReader } from './product-content-reader.js';
import { ProductRecord } from './product.record.js';
import { UsesProducts } from './product-usage.js';
import { checkSubProducts, finalPrice, productTexts } from './product.rules.js';
import { ProductStore } from './product.store.js';
import type { AddSubProductsBody, CreateProductBody, UpdateProductBody } from './products.dto.js';

/** Products for sale. A link between a product and a sub-product is stored on both, in one commit. */
@Injectable()
export class Products {
  constructor(
    private readonly store: ProductStore,
    private readonly contents: ProductContentReader,
    private readonly texts: SearchTextStore,
    private readonly units: UnitsOfWork,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @param _id of the new product, for idempotent creation */
  async create(
    caller: Pick<Caller, 'company'>,
    body: CreateProductBody,
    _id: Id = newId(),
  ): Promise<ProductRecord> {
    const { company } = caller;
    const { sub_products, image, media, ...given } = body;
    await this.contents.requireRate(company, given.tax_category);
    const pictures = await this.contents.pictures(company, { image, media });
    return this.units.write(company, async (work) => {
      const product = makeRecord(
        ProductRecord,
        {
          ...given,
          ...pictures,
          ...(await this.contents.valued(company, given.attributes)),
          _id,
          company,
        },
        work.now,
      );
      product._sub_products = distinctIds(sub_products);
      product.final_price = finalPrice(product);
      const subs = await this.subProducts(product, product._sub_products, 'sub_products');
      work.insert(this.store, product);
      this.texts.add(work, 'product', product._id, productTexts(product));
      this.link(work, product._id, subs);
      return product;
    });
  }

  async update(caller: Caller, id: string, body: UpdateProductBody): Promise<ProductRecord> {
    const { sub_products, image, media, ...given } = body;
    await this.contents.requireRate(caller.company, given.tax_category);
    const pictures = await this.contents.pictures(caller.company, {
      ...(image === undefined ? {} : { image }),
      ...(media === undefined ? {} : { media }),
    });
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      const changes: Partial<ProductRecord> = {
        ...given,
        ...pictures,
        ...(await this.contents.valued(caller.company, given.attributes)),
      };
      if (sub_products !== undefined) changes._sub_products = distinctIds(sub_products);
      const after = { ...before, ...changes };
      await this.requireFreeCurrency(before, after);
      changes.final_price = finalPrice(after);
      if (after.name !== before.name || after.description !== before.description) {
        this.texts.write(work, 'product', before._id, productTexts(after));
      }
      await this.relink(work, before, after, 'sub_products');
      return { changes };
    });
  }

  async addSubProducts(caller: Caller, id: string, { add }: AddSubProductsBody): Promise<ProductRecord> {
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      await this.subProducts(before, add, 'add');
      const changes = { _sub_products: distinctIds([...before._sub_products, ...add]) };
      await this.relink(work, before, { ...before, ...changes }, 'add');
      return { changes };
    });
  }

  /** Deletes a product and the links with its parents and sub-products. */
  async delete(caller: Caller, id: string): Promise<ProductRecord> {
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      const linked = [...before._sub_products, ...before.parents];
      for (const other of (await this.store.in(caller.company).byIds(linked)).values()) {
        work.update(this.store, other, {
          _sub_products: without(other._sub_products, before._id),
          parents: without(other.parents, before._id),
        });
      }
      return { changes: { deleted: true, _sub_products: [], parents: [] } };
    });
  }

  /** Refuses a new currency while records are priced by the product, which would lose their price. */
  private async requireFreeCurrency(before: ProductRecord, after: ProductRecord): Promise<void> {
    if (after.currency === before.currency) return;
    const usages = UsesProducts.in(this.discovery);
    const uses = await Promise.all(usages.map((one) => one.uses(before.company, before._id)));
    if (!uses.includes(true)) return;
    const message = 'A plan is priced by this product; delete it first, or make another product';
    throw fieldFault('currency', message, 'product.currency_in_use');
  }

  /** Updates the other end of each link where the sub-products of a product change. */
  private async relink(
    work: UnitOfWork,
    before: ProductRecord,
    after: ProductRecord,
    path: string,
  ): Promise<void> {
    const added = after._sub_products.filter((id) => !includes(before._sub_products, id));
    const removed = before._sub_products.filter((id) => !includes(after._sub_products, id));
    this.link(work, before._id, await this.subProducts(after, added, path));
    for (const sub of (await this.store.in(before.company).byIds(removed)).values()) {
      work.update(this.store, sub, { parents: without(sub.parents, before._id) });
    }
  }

  private link(work: UnitOfWork, parent: Id, subs: readonly ProductRecord[]): void {
    for (const sub of subs) {
      if (!includes(sub.parents, parent)) work.update(this.store, sub, { parents: [...sub.parents, parent] });
    }
  }

  private async subProducts(
    parent: ProductRecord,
    ids: readonly Id[],
    path: string,
  ): Promise<ProductRecord[]> {
    const found = await this.store.in(parent.company).byIds(ids);
    checkSubProducts(parent, ids, found, path);
    return [...found.values()];
  }
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((other) => sameId(other, id));
}

function without(ids: readonly Id[], id: Id): Id[] {
  return ids.filter((other) => !sameId(other, id));
}
