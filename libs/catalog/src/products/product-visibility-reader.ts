import { Injectable } from '@nestjs/common';
import { Companies } from '@commerce/identity';
import type { Caller } from '@commerce/data';

import { visibilityFor, type ProductVisibility } from './product-visibility.js';

/** Reads which products of its company a caller may see. */
@Injectable()
export class ProductVisibilityReader {
  constructor(private readonly companies: Companies) {}

  async for({ company, role }: Pick<Caller, 'company' | 'role'>): Promise<ProductVisibility> {
    return visibilityFor(role, await this.companies.get(company));
  }
}
