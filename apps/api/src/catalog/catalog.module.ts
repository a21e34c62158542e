import { Module } from '@nestjs/common';
import { CatalogModule } from '@commerce/catalog';

import { CouponsController } from './coupons.controller.js';
import { ImagesController } from './images.controller.js';
import { ProductsController } from './products.controller.js';
import { ResourcesController } from './resources.controller.js';
import { TemplatesController } from './templates.controller.js';
import { UploadLimiter } from './upload-limiter.js';

@Module({
  imports: [CatalogModule],
  controllers: [
    CouponsController,
    ImagesController,
    ProductsController,
    ResourcesController,
    TemplatesController,
  ],
  providers: [UploadLimiter],
})
export class CatalogApiModule {}
