import { Injectable } from '@nestjs/common';
import { UserStore } from '@commerce/identity';
import type { Id } from '@commerce/platform';

import { ImageStore } from '../images/image.store.js';
import { ProductStore } from '../products/product.store.js';
import type { Known } from './resource.rules.js';

/** What a body of a resource may name. */
interface Naming {
  readonly image?: Id | null;
  readonly product?: Id | null;
  readonly user?: Id | null;
}

/** Reads the records that bodies of resources name, one read for each kind, however many bodies there are. */
@Injectable()
export class ResourceReferences {
  constructor(
    private readonly images: ImageStore,
    private readonly products: ProductStore,
    private readonly users: UserStore,
  ) {}

  async known(company: Id, bodies: readonly Naming[]): Promise<Known> {
    const [images, products, users] = await Promise.all([
      this.images.in(company).byIds(named(bodies, 'image')),
      this.products.in(company).byIds(named(bodies, 'product')),
      this.users.in(company).byIds(named(bodies, 'user')),
    ]);
    const subs = await this.products
      .in(company)
      .byIds([...products.values()].flatMap((product) => product._sub_products));
    return { images, products: new Map([...products, ...subs]), users };
  }
}

function named(bodies: readonly Naming[], field: keyof Naming): Id[] {
  return bodies.map((body) => body[field]).filter((id) => id !== null && id !== undefined);
}
