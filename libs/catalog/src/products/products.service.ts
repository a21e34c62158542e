import { Injectable } from '@nestjs/common';
import {
  SystemClock,
  UnitsOfWork,
  retryOnConflict,
  makeRecord,
  sameId,
  type Caller,
  type FreeJson,
  type Id,
  type Page,
  type RawQuery,
  type UnitOfWork,
} from '@commerce/platform';

import { ImageStore } from '../images/image.store.js';
import { searchable } from '../search/search-grams.js';
import { matching, readSearch } from '../search/search-query.js';
import { checkValues, isEmptyValues } from '../templates/attribute-values.js';
import { TemplateStore } from '../templates/template.store.js';
import { imagesIn, picturesOf } from './product-pictures.js';
import { narrowed, readProductQuery, readTags, type ProductQuery } from './product-query.js';
import { ProductRecord } from './product.record.js';
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
    private readonly clock: SystemClock,
  ) {}

  async create(caller: Pick<Caller, 'company'>, body: CreateProductBody): Promise<ProductRecord> {
    const { company } = caller;
    const { sub_products, image, media, ...given } = body;
    const pictures = picturesOf({ image, media }, await this.images.in(company).byIds(imagesIn(body)));
    return retryOnConflict(async () => {
      const now = this.clock.now();
      const product = makeRecord(
        ProductRecord,
        {
          ...given,
          ...pictures,
          ...(await this.valued(company, given.attributes)),
          ...searchable([given.name, given.description]),
          company,
        },
        now,
      );
      product._sub_products = distinct(sub_products);
      product.final_price = finalPrice(product);
      const subs = await this.subProducts(product, product._sub_products, 'sub_products');
      const work = this.units.begin(company, now);
      work.insert(this.store, product);
      this.link(work, product._id, subs);
      await work.commit();
      return product;
    });
  }

  async get(caller: Caller, id: string): Promise<ProductRecord> {
    return this.store.in(caller.company).get(id, { deleted: caller.role === 'admin' });
  }

  async list(caller: Caller, raw: RawQuery): Promise<Page<ProductRecord>> {
    return this.read(caller.company, readProductQuery(raw));
  }

  async search(caller: Caller, raw: RawQuery): Promise<Page<ProductRecord>> {
    const query = readProductQuery(raw, ['query']);
    const { company } = caller;
    const filter = await matching(this.store.in(company), company, readSearch(raw), { shortIds: true });
    return this.read(company, narrowed(query, filter));
  }

  async tagged(caller: Caller, raw: RawQuery): Promise<Page<ProductRecord>> {
    const filter = { tags: { $in: readTags(raw) }, company: caller.company };
    // The only parameter that can be repeated.
    const query = readProductQuery({ ...raw, tags: '' }, ['tags']);
    return this.read(caller.company, narrowed(query, filter));
  }

  async update(caller: Caller, id: string, body: UpdateProductBody): Promise<ProductRecord> {
    const { sub_products, image, media, ...given } = body;
    const images = await this.images.in(caller.company).byIds(imagesIn(body));
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      const changes: Partial<ProductRecord> = {
        ...given,
        ...picturesOf({ image, media }, images),
        ...(await this.valued(caller.company, given.attributes)),
      };
      if (sub_products !== undefined) changes._sub_products = distinct(sub_products);
      const after = { ...before, ...changes };
      changes.final_price = finalPrice(after);
      if (after.name !== before.name || after.description !== before.description) {
        Object.assign(changes, searchable([after.name, after.description]));
      }
      return this.save(before, changes, 'sub_products');
    });
  }

  async addSubProducts(caller: Caller, id: string, { add }: AddSubProductsBody): Promise<ProductRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      await this.subProducts(before, add, 'add');
      return this.save(before, { _sub_products: distinct([...before._sub_products, ...add]) }, 'add');
    });
  }

  /** Also removes the links with its parents and sub-products. */
  async delete(caller: Caller, id: string): Promise<ProductRecord> {
    return retryOnConflict(async () => {
      const before = await this.store.in(caller.company).get(id);
      const linked = [...before._sub_products, ...before.parents];
      const others = await this.store.in(caller.company).byIds(linked);
      const work = this.units.begin(caller.company, this.clock.now());
      const after = work.update(this.store, before, { deleted: true, _sub_products: [], parents: [] });
      for (const other of others.values()) {
        work.update(this.store, other, {
          _sub_products: without(other._sub_products, before._id),
          parents: without(other.parents, before._id),
        });
      }
      await work.commit();
      return after;
    });
  }

  private async read(company: Id, { page, near }: ProductQuery): Promise<Page<ProductRecord>> {
    return near === null ? this.store.in(company).page(page) : this.store.near(company, near, page);
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

  /** Writes the changes of one product and, where its sub-products change, the other end of each link. */
  private async save(
    before: ProductRecord,
    changes: Partial<ProductRecord>,
    path: string,
  ): Promise<ProductRecord> {
    const work = this.units.begin(before.company, this.clock.now());
    const after = work.update(this.store, before, changes);
    const added = after._sub_products.filter((id) => !includes(before._sub_products, id));
    const removed = before._sub_products.filter((id) => !includes(after._sub_products, id));
    this.link(work, before._id, await this.subProducts(after, added, path));
    for (const sub of (await this.store.in(before.company).byIds(removed)).values()) {
      work.update(this.store, sub, { parents: without(sub.parents, before._id) });
    }
    await work.commit();
    return after;
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
