import { Injectable } from '@nestjs/common';
import { UserStore } from '@commerce/identity';
import type { Id } from '@commerce/platform';

import { ImageStore } from '../images/image.store.js';
import { ProductStore } from '../products/product.store.js';
import type { ReferencedRecords } from './resource.rules.js';

/** The records that the body of a resource may reference. */
interface ReferencingBody {
  readonly image?: Id | null;
  readonly product?: Id | null;
  readonly user?: Id | null;
}

/** Reads the records that bodies of resources reference, in one query per kind for any number of bodies. */
@Injectable()
export class ResourceReferenceReader {
  constructor(
    private readonly images: ImageStore,
    private readonly products: ProductStore,
    private readonly users: UserStore,
  ) {}

  async read(company: Id, bodies: readonly ReferencingBody[]): Promise<ReferencedRecords> {
    const [images, products, users] = await Promise.all([
      this.images.in(company).byIds(idsIn(bodies, 'image')),
      this.products.in(company).byIds(idsIn(bodies, 'product')),
      this.users.in(company).byIds(idsIn(bodies, 'user')),
    ]);
    const subs = await this.products
      .in(company)
      .byIds([...products.values()].flatMap((product) => product._sub_products));
    return { images, products: new Map([...products, ...subs]), users };
  }
}

function idsIn(bodies: readonly ReferencingBody[], field: keyof ReferencingBody): Id[] {
  return bodies.map((body) => body[field]).filter((id) => id !== null && id !== undefined);
}
