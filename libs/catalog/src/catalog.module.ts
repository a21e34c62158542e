import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { recordModels } from '@commerce/records';

import { CouponRecord } from './coupons/coupon.record.js';
import { CouponReader } from './coupons/coupon-reader.js';
import { CouponTargetReader } from './coupons/coupon-target-reader.js';
import { CouponUserLimiter } from './coupons/coupon-user-limiter.js';
import { CouponStore } from './coupons/coupon.store.js';
import { Coupons } from './coupons/coupons.service.js';
import { ImageRemover } from './image-removal/image-remover.js';
import { ImageCodec } from './images/image-codec.js';
import { ImageContentReader } from './images/image-content-reader.js';
import { ImageContentStore } from './images/image-content.store.js';
import { ImageVariantCache } from './images/image-variant-cache.js';
import { ImageRecord } from './images/image.record.js';
import { ImageStore } from './images/image.store.js';
import { Images } from './images/images.service.js';
import { ProductContentReader } from './products/product-content-reader.js';
import { ProductReader } from './products/product-reader.js';
import { ProductVisibilityReader } from './products/product-visibility-reader.js';
import { ProductRecord } from './products/product.record.js';
import { ProductStore } from './products/product.store.js';
import { Products } from './products/products.service.js';
import { ResourceReferenceReader } from './resources/resource-reference-reader.js';
import { ResourceRecord } from './resources/resource.record.js';
import { ResourceStore } from './resources/resource.store.js';
import { Resources } from './resources/resources.service.js';
import { SearchReader } from './search/search-reader.js';
import { SearchRebuilder } from './search-rebuild/search-rebuilder.js';
import { SearchTextStore } from './search/search-text.store.js';
import { TemplateRecord } from './templates/template.record.js';
import { TemplateStore } from './templates/template.store.js';
import { TemplateValueRemover } from './templates/template-value-remover.js';
import { TemplateValueStore } from './templates/template-value.store.js';
import { Templates } from './templates/templates.service.js';

const parts = [
  CouponReader,
  CouponStore,
  CouponUserLimiter,
  Coupons,
  ImageCodec,
  ImageContentReader,
  ImageContentStore,
  ImageRemover,
  ImageStore,
  ImageVariantCache,
  Images,
  ProductReader,
  ProductStore,
  ProductVisibilityReader,
  Products,
  ResourceReferenceReader,
  ResourceStore,
  Resources,
  SearchReader,
  SearchRebuilder,
  SearchTextStore,
  TemplateStore,
  TemplateValueRemover,
  Templates,
];

/** The catalog of a company: products, resources, templates, images and coupons. */
@Module({
  imports: [
    DiscoveryModule,
    recordModels(CouponRecord, ImageRecord, ProductRecord, ResourceRecord, TemplateRecord),
  ],
  providers: [
    ...parts,
    CouponTargetReader,
    ProductContentReader,
    { provide: TemplateValueStore, useExisting: ProductStore },
  ],
  exports: parts,
})
export class CatalogModule {}
