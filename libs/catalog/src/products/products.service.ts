import { Injectable } from '@nestjs/common';
import { fieldFault } from '@commerce/kernel';
import {
  UnitsOfWork,
  makeRecord,
  sameId,
  type Caller,
  type Filter,
  type FreeJson,
  type Id,
  type Page,
  type UnitOfWork,
} from '@commerce/platform';

import { ImageStore } from '../images/image.store.js';
import { searchable } from '../search/search-grams.js';
import { matching } from '../search/search-query.js';
import { checkValues, isEmptyValues } from '../templates/attribute-values.js';
import { TemplateStore } from '../templates/template.store.js';
import { imagesIn, picturesOf } from './product-pictures.js';
import {
  placeOf,
  productPage,
  tagsOf,
  type ListProductsQuery,
  type SearchProductsQuery,
  type TaggedProductsQuery,
} from './product-query.js';
import { ProductRecord } from './product.record.js';
import { ProductUsages } from './product-usages.js';
import { checkSubProducts, finalPrice } from './product.rules.js';
import { ProductStore } from './product.store.js';
import type { AddSubProductsBody, CreateProductBody, UpdateProductBody } from './products.bodies.js';

/** Products for sale. A link between a product and a sub-product is stored on both, in one commit. */
@Injectable()
export class Products {
  constructor(
    private readonly store: ProductStore,
    private readonly images: ImageStore,
    private readonly templates: TemplateStore,
    private readonly units: UnitsOfWork,
    private readonly usages: ProductUsages,
  ) {}

  async create(caller: Pick<Caller, 'company'>, body: CreateProductBody): Promise<ProductRecord> {
    const { company } = caller;
    const { sub_products, image, media, ...given } = body;
    const pictures = picturesOf({ image, media }, await this.images.in(company).byIds(imagesIn(body)));
    return this.units.write(company, async (work) => {
      const product = makeRecord(
        ProductRecord,
        {
          ...given,
          ...pictures,
          ...(await this.valued(company, given.attributes)),
          ...searchable([given.name, given.description]),
          company,
        },
        work.now,
      );
      product._sub_products = distinct(sub_products);
      product.final_price = finalPrice(product);
      const subs = await this.subProducts(product, product._sub_products, 'sub_products');
      work.insert(this.store, product);
      this.link(work, product._id, subs);
      return product;
    });
  }

  async get(caller: Caller, id: string): Promise<ProductRecord> {
    return this.store.for(caller).show(id);
  }

  async list(caller: Caller, query: ListProductsQuery): Promise<Page<ProductRecord>> {
    return this.read(caller, query);
  }

  async search(caller: Caller, query: SearchProductsQuery): Promise<Page<ProductRecord>> {
    return this.read(caller, query, await matching(this.store.for(caller), query.query, { shortIds: true }));
  }

  async tagged(caller: Caller, query: TaggedProductsQuery): Promise<Page<ProductRecord>> {
    return this.read(caller, query, { tags: { $in: tagsOf(query) }, company: caller.company });
  }

  async update(caller: Caller, id: string, body: UpdateProductBody): Promise<ProductRecord> {
    const { sub_products, image, media, ...given } = body;
    const images = await this.images.in(caller.company).byIds(imagesIn(body));
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      const changes: Partial<ProductRecord> = {
        ...given,
        ...picturesOf({ image, media }, images),
        ...(await this.valued(caller.company, given.attributes)),
      };
      if (sub_products !== undefined) changes._sub_products = distinct(sub_products);
      const after = { ...before, ...changes };
      await this.requireFreeCurrency(before, after);
      changes.final_price = finalPrice(after);
      if (after.name !== before.name || after.description !== before.description) {
        Object.assign(changes, searchable([after.name, after.description]));
      }
      await this.relink(work, before, after, 'sub_products');
      return { changes };
    });
  }

  async addSubProducts(caller: Caller, id: string, { add }: AddSubProductsBody): Promise<ProductRecord> {
    return this.units.change(this.store.for(caller), id, async (before, work) => {
      await this.subProducts(before, add, 'add');
      const changes = { _sub_products: distinct([...before._sub_products, ...add]) };
      await this.relink(work, before, { ...before, ...changes }, 'add');
      return { changes };
    });
  }

  /** Also removes the links with its parents and sub-products. */
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

  /** What is priced by the product would no longer have a price. */
  private async requireFreeCurrency(before: ProductRecord, after: ProductRecord): Promise<void> {
    if (after.currency === before.currency) return;
    if (!(await this.usages.uses(before.company, before._id))) return;
    const message = 'A plan is priced by this product; delete it first, or make another product';
    throw fieldFault('currency', message, 'product.currency_in_use');
  }

  private async read(
    caller: Caller,
    query: ListProductsQuery,
    narrowing: Filter = {},
  ): Promise<Page<ProductRecord>> {
    const place = placeOf(query);
    const page = productPage(caller, query, narrowing);
    return place === null ? this.store.for(caller).page(page) : this.store.near(caller.company, place, page);
  }

  /** Checks the attribute values of a body against the current template. */
  private async valued(
    company: Id,
    attributes: FreeJson | undefined,
  ): Promise<Partial<Pick<ProductRecord, 'attributes' | 'template'>>> {
    if (attributes === undefined) return {};
    if (isEmptyValues(attributes)) return { attributes, template: null };
    const template = await this.templates.current(company, 'Product');
    checkValues(attributes, template?.attributes ?? []);
    return { attributes, template: template?._id ?? null };
  }

  /** Where the sub-products of a product change, changes the other end of each link. */
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

function distinct(ids: readonly Id[]): Id[] {
  return ids.filter((id, index) => ids.findIndex((other) => sameId(other, id)) === index);
}

function includes(ids: readonly Id[], id: Id): boolean {
  return ids.some((other) => sameId(other, id));
}

function without(ids: readonly Id[], id: Id): Id[] {
  return ids.filter((other) => !sameId(other, id));
}
