import { ANY_ID, ANY_TEXT } from '@commerce/data';
import {
  PRODUCT_TAX_CATEGORIES,
  TAX_SUPPLIES,
  type ProductTaxCategory,
  type TaxSupply,
} from '@commerce/kernel';
import {
  Amount,
  AnyJson,
  Choice,
  Currency,
  Decimal,
  Flag,
  Fraction,
  FreeJson,
  Instant,
  ListOf,
  LongText,
  Nested,
  Numbers,
  OwnedRecord,
  RecordOf,
  Ref,
  Refs,
  Text,
  Texts,
  type Id,
} from '@commerce/records';

import { ImageObject } from '../images/image-object.js';
import { Medium } from './medium.js';

/** The most sub-products of one product. */
export const MAX_SUB_PRODUCTS = 200;

/** The most products to which one sub-product belongs. */
export const MAX_PARENTS = 1000;

/** Half of the earth's circumference in metres: no two points are farther apart. */
export const MAX_DISTANCE_M = 20_037_508;

/** Something for sale: a main product, or a sub-product, which is only sold together with one of its parents. */
@RecordOf({
  collection: 'products',
  noun: 'product',
  cls: 'Product',
  touched: 'modified',
  deleted: 'deleted',
  list: { sorts: ['created', 'modified', 'name', 'price'] },
  indexes: [
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
    // The company comes second: the many entries of each product would slow down every list read by it.
    { fields: { tags: 1, company: 1, created: -1, _id: -1 } },
    { fields: { template: 1, company: 1 } },
    { fields: { company: 1, 'image._id': 1 }, options: { partialFilterExpression: { 'image._id': ANY_ID } } },
    {
      fields: { company: 1, 'media.url': 1 },
      options: { partialFilterExpression: { 'media.url': ANY_TEXT } },
    },
    // With an explicit version: without it, some servers mistake the existing index for a different one at every start.
    { fields: { company: 1, default_position: '2dsphere' }, options: { '2dsphereIndexVersion': 3 } },
  ],
})
export class ProductRecord extends OwnedRecord {
  @Text({ min: 1, description: 'name for people' })
  name: string;

  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @Currency({ description: 'ISO 4217 code of the price' })
  currency: string;

  @Amount({
    example: 19.99,
    description: 'the price of one before its discount, in major units of the currency',
  })
  price: number;

  @Fraction({ default: 0, description: '0.25 is 25 %' })
  discount: number;

  @Amount({ description: 'the price less its discount' })
  final_price: number;

  @Fraction({ default: 0, description: '0.25 is 25 %' })
  vat: number;

  @Choice(PRODUCT_TAX_CATEGORIES, {
    fold: 'lower',
    default: 'standard',
    description: 'which rate of a country it has, where the company decides tax by `eu`; else `vat` counts',
  })
  tax_category: ProductTaxCategory;

  @Choice(TAX_SUPPLIES, {
    fold: 'lower',
    optional: true,
    description: 'what selling it supplies, for `eu`; unless given, goods in orders and services in plans',
  })
  tax_supply: TaxSupply | null;

  @LongText({ default: '', description: 'full description' })
  description: string;

  @LongText({ default: '', description: 'a line about the product' })
  short_description: string;

  @Flag({ default: true, description: 'a main product can have sub-products and is sold on its own' })
  main_product: boolean;

  @Refs('product', { default: () => [], description: 'the sub-products of a main product' })
  _sub_products: Id[];

  @Refs('product', { default: () => [], description: 'the main products that a sub-product belongs to' })
  parents: Id[];

  @Texts({ default: () => [], description: 'words to list products by' })
  tags: string[];

  @AnyJson({ default: {}, description: 'any JSON of your own' })
  properties: FreeJson;

  @ListOf(() => Medium, { default: () => [], max: 100, description: 'further images' })
  media: Medium[];

  @Nested(() => ImageObject, { optional: true, description: 'an image, named by its id in bodies' })
  image: ImageObject | null;

  @Text({
    default: '/',
    max: 1024,
    description: 'where it stands in a shop of your own, such as /kitchen/kettles',
  })
  path: string;

  @Text({ optional: true, description: 'id in an external shop system' })
  external_reference: string | null;

  @AnyJson({ default: {}, shape: 'object', description: 'values of template attributes by key' })
  attributes: FreeJson;

  /** The template that defines the attributes; null when there are none. */
  @Ref('template', { hidden: true, optional: true })
  template: Id | null;

  @Flag({ default: false, description: 'only active products can be ordered' })
  active: boolean;

  @Flag({ default: false })
  deleted: boolean;

  @Decimal({
    min: 0.000_001,
    max: 1_000_000,
    optional: true,
    description:
      'quantities of orders are multiples of it; without one users order whole numbers, admins any quantity',
  })
  quantity_step: number | null;

  @Decimal({ min: 0, optional: true, description: 'a number of your own; the service does nothing with it' })
  company_take: number | null;

  @Decimal({
    min: 0,
    max: MAX_DISTANCE_M,
    optional: true,
    description: 'how far from its position the product is offered, in metres',
  })
  max_distance: number | null;

  @Numbers({ min: 2, max: 2, optional: true, default: null, description: '[longitude, latitude]' })
  default_position: number[] | null;

  @AnyJson({
    default: [],
    shape: 'list',
    description: 'any JSON of your own; the service does nothing with it',
  })
  business_rules: FreeJson;

  @Instant({ last: true })
  modified: Date;
}
