import { Module } from '@nestjs/common';
import { recordModels } from '@commerce/platform';

import { CouponRecord } from './coupons/coupon.record.js';
import { CouponStore } from './coupons/coupon.store.js';
import { Coupons } from './coupons/coupons.service.js';
import { ImageCodec } from './images/image-codec.js';
import { ImageContentReader } from './images/image-content-reader.js';
import { ImageContentStore } from './images/image-content.store.js';
import { ImageVariantCache } from './images/image-variant-cache.js';
import { ImageRecord } from './images/image.record.js';
import { ImageStore } from './images/image.store.js';
import { Images } from './images/images.service.js';
import { ProductRecord } from './products/product.record.js';
import { ProductStore } from './products/product.store.js';
import { Products } from './products/products.service.js';
import { ResourceReferences } from './resources/resource-references.js';
import { ResourceRecord } from './resources/resource.record.js';
import { ResourceStore } from './resources/resource.store.js';
import { Resources } from './resources/resources.service.js';
import { TemplateRecord } from './templates/template.record.js';
import { TemplateStore } from './templates/template.store.js';
import { TemplateValues } from './templates/template-values.service.js';
import { Templates } from './templates/templates.service.js';

const parts = [
  CouponStore,
  Coupons,
  ImageCodec,
  ImageContentReader,
  ImageContentStore,
  ImageStore,
  ImageVariantCache,
  Images,
  ProductStore,
  Products,
  ResourceReferences,
  ResourceStore,
  Resources,
  TemplateStore,
  TemplateValues,
  Templates,
];

/** What a company sells. */
@Module({
  imports: [recordModels(CouponRecord, ImageRecord, ProductRecord, ResourceRecord, TemplateRecord)],
  providers: parts,
  exports: parts,
})
export class CatalogModule {}
