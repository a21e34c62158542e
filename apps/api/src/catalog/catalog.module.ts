import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { ImagesController } from './images.controller.js';
import { ProductsController } from './products.controller.js';
import { ResourcesController } from './resources.controller.js';

@Module({
  imports: [CatalogModule],
  controllers: [ImagesController, ProductsController, ResourcesController],
})
export class CatalogApiModule {}
