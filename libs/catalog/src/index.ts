export { CatalogModule } from './catalog.module.js';
export { CouponReader } from './coupons/coupon-reader.js';
export { CouponRecord } from './coupons/coupon.record.js';
export {
  couponAppliesToOrder,
  couponAppliesToSubscription,
  refusedCoupon,
  type CustomerTime,
  type DiscountTerms,
} from './coupons/coupon-terms.js';
export { KnowsPlans, type PlanDirectory } from './coupons/plan-directory.js';
export { CouponUserLimiter } from './coupons/coupon-user-limiter.js';
export { RedeemsCoupons, type CouponOfUser, type CouponUsage } from './coupons/coupon-usage.js';
export {
  CouponStore,
  RESERVATION_MS,
  UNTIL_RELEASED,
  type Redemption,
  type Session,
} from './coupons/coupon.store.js';
export {
  CreateCouponBody,
  ListCouponsQuery,
  SearchCouponsQuery,
  UpdateCouponBody,
} from './coupons/coupons.dto.js';
export { Coupons } from './coupons/coupons.service.js';
export { ImageRemover } from './image-removal/image-remover.js';
export { IMAGE_TYPES, MAX_IMAGE_PIXELS } from './images/image-codec.js';
export { ImageContentReader, type ImageContent } from './images/image-content-reader.js';
export { MAX_IMAGE_BYTES, type StoredContent, type Upload } from './images/image-upload.js';
export { ImageContentQuery } from './images/images.dto.js';
export { ImageRecord } from './images/image.record.js';
export { Images } from './images/images.service.js';
export { ListProductsQuery, SearchProductsQuery, TaggedProductsQuery } from './products/product-query.js';
export { UsesProducts, type ProductUsage } from './products/product-usage.js';
export { ProductRecord } from './products/product.record.js';
export { ProductStore } from './products/product.store.js';
export { AddSubProductsBody, CreateProductBody, UpdateProductBody } from './products/products.dto.js';
export { ProductReader } from './products/product-reader.js';
export { Products } from './products/products.service.js';
export { ListResourcesQuery, SearchResourcesQuery } from './resources/resource-query.js';
export { AssetResource, ResourceRecord, shownResource } from './resources/resource.record.js';
export { CreateResourceBody, MAX_BULK, UpdateResourceBody } from './resources/resources.dto.js';
export { Resources } from './resources/resources.service.js';
export { SearchRebuilder } from './search-rebuild/search-rebuilder.js';
export { foundByText } from './search/found-by-text.js';
export { SearchTextStore } from './search/search-text.store.js';
export { TemplateValueRemover } from './templates/template-value-remover.js';
export { TemplateRecord } from './templates/template.record.js';
export { TemplateStore } from './templates/template.store.js';
export { CreateTemplateBody, ListTemplatesQuery, UpdateTemplateBody } from './templates/templates.dto.js';
export { Templates } from './templates/templates.service.js';
