import { Module } from '@nestjs/common';
import { recordModels } from '@commerce/platform';

import { ProductRecord } from './products/product.record.js';
import { ProductStore } from './products/product.store.js';
import { Products } from './products/products.service.js';

const parts = [ProductStore, Products];

/** What a company sells. */
@Module({
  imports: [recordModels(ProductRecord)],
  providers: parts,
  exports: parts,
})
export class CatalogModule {}
