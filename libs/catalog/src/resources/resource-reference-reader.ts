import { Injectable } from '@nestjs/common';
import { UserStore } from '@commerce/identity';
import type { Caller } from '@commerce/data';
import type { Id } from '@commerce/records';

import { ImageStore } from '../images/image.store.js';
import { isVisible } from '../products/product-visibility.js';
import { ProductVisibilityReader } from '../products/product-visibility-reader.js';
import { ProductStore } from '../products/product.store.js';
import type { ReferencedRecords } from './resource.rules.js';

/** The records that the body of a resource may reference. */
interface ReferencingBody {
  readonly image?: Id | null;
  readonly product?: Id | null;
  readonly user?: Id | null;
}

/**
 * Reads the records that bodies of resources reference, in one query per kind for any number of bodies. A product that
 * the caller may not see is omitted: the prices of a retail resource would reveal its own.
 */
@Injectable()
export class ResourceReferenceReader {
  constructor(
    private readonly images: ImageStore,
    private readonly products: ProductStore,
    private readonly visibilities: ProductVisibilityReader,
    private readonly users: UserStore,
  ) {}

  async read(caller: Caller, bodies: readonly ReferencingBody[]): Promise<ReferencedRecords> {
    const { company } = caller;
    const [images, products, users, visibility] = await Promise.all([
      this.images.in(company).byIds(idsIn(bodies, 'image')),
      this.products.in(company).byIds(idsIn(bodies, 'product')),
      this.users.in(company).byIds(idsIn(bodies, 'user')),
      this.visibilities.for(caller),
    ]);
    const subs = await this.products
      .in(company)
      .byIds([...products.values()].flatMap((product) => product._sub_products));
    const visible = [...products, ...subs].filter(([, product]) => isVisible(product, visibility));
    return { images, products: new Map(visible), users };
  }
}

function idsIn(bodies: readonly ReferencingBody[], field: keyof ReferencingBody): Id[] {
  return bodies.map((body) => body[field]).filter((id) => id !== null && id !== undefined);
}
