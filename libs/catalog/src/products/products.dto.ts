import { createBody, ListOf, Ref, Refs, updateBody, type Id } from '@commerce/records';

import { MediumBody } from './medium.js';
import { MAX_SUB_PRODUCTS, ProductRecord } from './product.record.js';

const GIVEN = [
  'name',
  'price',
  'discount',
  'currency',
  'vat',
  'tax_category',
  'tax_supply',
  'description',
  'short_description',
  'main_product',
  'tags',
  'properties',
  'path',
  'external_reference',
  'attributes',
  'active',
  'quantity_step',
  'company_take',
  'max_distance',
  'default_position',
  'business_rules',
] as const;

export class CreateProductBody extends createBody(ProductRecord, GIVEN) {
  @Ref('image', { optional: true })
  image: Id | null;

  @ListOf(() => MediumBody, {
    default: () => [],
    max: 100,
    description: 'further images: each a whole object, or the id of an uploaded `image`',
  })
  media: MediumBody[];

  @Refs('product', { default: () => [], max: MAX_SUB_PRODUCTS })
  sub_products: Id[];
}

/** Omitted fields are unchanged; a list replaces the previous one. */
export class UpdateProductBody extends updateBody(ProductRecord, GIVEN) {
  @Ref('image', { optional: true })
  image?: Id | null;

  @ListOf(() => MediumBody, {
    default: () => [],
    max: 100,
    description: 'further images: each a whole object, or the id of an uploaded `image`',
  })
  media?: MediumBody[];

  @Refs('product', { default: () => [], max: MAX_SUB_PRODUCTS })
  sub_products?: Id[];
}

export class AddSubProductsBody {
  @Refs('product', { max: MAX_SUB_PRODUCTS })
  add: Id[];
}
