import { Injectable } from '@nestjs/common';
import { ProductStore, type ProductRecord } from '@commerce/catalog';
import { UnitsOfWork, retryOnConflict, sameId, type Id } from '@commerce/platform';

import { Service } from '../service.js';
import type { Examination, Finding } from './finding.js';

const LINKED = { $or: [{ '_sub_products.0': { $exists: true } }, { 'parents.0': { $exists: true } }] };

type End = '_sub_products' | 'parents';

/** A link between a product and its sub-product must stand on both, and neither may be deleted. */
@Injectable()
export class ProductLinksExamination implements Examination {
  constructor(private readonly service: Service) {}

  async *examine(company: Id, now: Date): AsyncGenerator<Finding> {
    const store = (await this.service.get(ProductStore)).in(company);
    for await (const product of store.stream(LINKED)) {
      const others = await store.byIds([...product._sub_products, ...product.parents]);
      for (const end of ['_sub_products', 'parents'] as const) {
        for (const id of product[end]) {
          const broken = brokenLink(product, end, others.get(id.toHexString()));
          if (broken !== null) yield this.finding(product, end, id, broken, now);
        }
      }
    }
  }

  /** The parent's word counts: a sub-product that is there gets its parent, every other half link is taken off. */
  private finding(product: ProductRecord, end: End, other: Id, broken: Broken, now: Date): Finding {
    const id = product._id.toHexString();
    const mend = (): Promise<void> =>
      retryOnConflict(() =>
        broken.mendable ? this.link(product, other, now) : this.unlink(product, end, other, now),
      );
    return { kind: 'product.link', id, detail: `${end} names ${other.toHexString()}, ${broken.why}`, mend };
  }

  private async link({ company, _id: parent }: ProductRecord, id: Id, now: Date): Promise<void> {
    const store = await this.service.get(ProductStore);
    const sub = await store.in(company).get(id);
    if (sub.parents.some((one) => sameId(one, parent))) return;
    const work = (await this.service.get(UnitsOfWork)).begin(company, now);
    work.update(store, sub, { parents: [...sub.parents, parent] });
    await work.commit();
  }

  private async unlink({ company, _id }: ProductRecord, end: End, other: Id, now: Date): Promise<void> {
    const store = await this.service.get(ProductStore);
    const product = await store.in(company).get(_id, { deleted: true });
    const work = (await this.service.get(UnitsOfWork)).begin(company, now);
    work.update(store, product, { [end]: product[end].filter((id) => !sameId(id, other)) });
    await work.commit();
  }
}

interface Broken {
  readonly why: string;
  /** The sub-product only lacks its parent. */
  readonly mendable: boolean;
}

function brokenLink(product: ProductRecord, end: End, other: ProductRecord | undefined): Broken | null {
  if (!other) return { why: 'which does not exist', mendable: false };
  if (other.deleted || product.deleted) return { why: 'and one of the two is deleted', mendable: false };
  const back = end === 'parents' ? other._sub_products : other.parents;
  if (back.some((id) => sameId(id, product._id))) return null;
  return { why: 'which does not name it', mendable: end === '_sub_products' && !other.main_product };
}
