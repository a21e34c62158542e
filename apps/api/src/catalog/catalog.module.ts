import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { ProductsController } from './products.controller.js';

@Module({ imports: [CatalogModule], controllers: [ProductsController] })
export class CatalogApiModule {}
