import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import type { Caller } from '@commerce/data';

import { visibilityFor, type ProductVisibility } from './product-visibility.js';

/** Reads the visibility of a company's products for a caller. */
@Injectable()
export class ProductVisibilityReader {
  constructor(private readonly companies: Companies) {}

  async for({ company, role }: Pick<Caller, 'company' | 'role'>): Promise<ProductVisibility> {
    return visibilityFor(role, await this.companies.get(company));
  }
}
