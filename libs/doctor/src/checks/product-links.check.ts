import { Injectable } from '@nestjs/common';
import { ProductStore, type ProductRecord } from '@commerce/catalog';
import { UnitsOfWork } from '@commerce/data';
import { sameId, type Id } from '@commerce/records';

import type { Check } from './check.js';
import type { Finding } from './finding.js';
import { OLDEST_FIRST, type Walk } from './walk.js';

const LINKED = { $or: [{ '_sub_products.0': { $exists: true } }, { 'parents.0': { $exists: true } }] };

type End = '_sub_products' | 'parents';

/** A product and its sub-product must name each other, and neither may be deleted. */
@Injectable()
export class ProductLinksCheck implements Check {
  constructor(
    private readonly products: ProductStore,
    private readonly units: UnitsOfWork,
  ) {}

  async *check(walk: Walk): AsyncGenerator<Finding> {
    const products = this.products.in(walk.company);
    for await (const product of walk.over(products.stream(LINKED, OLDEST_FIRST))) {
      const others = await products.byIds([...product._sub_products, ...product.parents]);
      for (const end of ['_sub_products', 'parents'] as const) {
        for (const id of product[end]) {
          const broken = brokenLink(product, end, others.get(id.toHexString()));
          if (broken !== null) yield this.finding(product, end, id, broken);
        }
      }
    }
  }

  /** The parent decides: a sub-product that exists gets its parent; every other one-sided link is removed. */
  private finding(product: ProductRecord, end: End, other: Id, broken: Broken): Finding {
    const id = product._id.toHexString();
    const repair = (): Promise<unknown> =>
      broken.repairable ? this.link(product, other) : this.unlink(product, end, other);
    return { kind: 'product.link', id, detail: `${end} names ${other.toHexString()}, ${broken.why}`, repair };
  }

  private async link({ company, _id: parent }: ProductRecord, sub: Id): Promise<unknown> {
    return this.units.change(this.products.in(company), sub, ({ parents }) =>
      parents.some((id) => sameId(id, parent)) ? null : { changes: { parents: [...parents, parent] } },
    );
  }

  private async unlink({ company, _id }: ProductRecord, end: End, other: Id): Promise<unknown> {
    return this.units.change(
      this.products.in(company),
      _id,
      (product) => ({ changes: { [end]: product[end].filter((id) => !sameId(id, other)) } }),
      { deleted: true },
    );
  }
}

interface Broken {
  readonly why: string;
  /** The sub-product only lacks its parent. */
  readonly repairable: boolean;
}

function brokenLink(product: ProductRecord, end: End, other: ProductRecord | undefined): Broken | null {
  if (!other) return { why: 'which does not exist', repairable: false };
  if (other.deleted || product.deleted) return { why: 'and one of the two is deleted', repairable: false };
  const back = end === 'parents' ? other._sub_products : other.parents;
  if (back.some((id) => sameId(id, product._id))) return null;
  return { why: 'which does not name it', repairable: end === '_sub_products' && !other.main_product };
}
