import { ANY_ID } from '@commerce/data';
import {
  Amount,
  Choice,
  Currency,
  Flag,
  Fraction,
  Instant,
  LongText,
  Nested,
  OwnedRecord,
  RecordOf,
  Ref,
  Refs,
  Text,
  Texts,
  type Id,
} from '@commerce/records';

import { ImageObject } from '../images/image-object.js';

export const RESOURCE_METHODS = ['asset', 'retail'] as const;
export type ResourceMethod = (typeof RESOURCE_METHODS)[number];

/** Statuses that every caller may set. */
export const OPEN_STATUSES = ['CREATED', 'PROCESSING', 'UTILIZED', 'IDLE'] as const;
/** Statuses that only admins may set. */
export const RESERVED_STATUSES = ['ON_THE_WAY_FROM', 'ON_THE_WAY_TO', 'DONE'] as const;
export const RESOURCE_STATUSES = [...OPEN_STATUSES, ...RESERVED_STATUSES] as const;
export type ResourceStatus = (typeof RESOURCE_STATUSES)[number];

/** The fields of every resource; an asset has only these. */
export abstract class AssetFields extends OwnedRecord {
  @Choice(RESOURCE_METHODS, {
    fold: 'lower',
    default: 'asset',
    description: 'asset: used again and again; retail: sold, at the price of its product',
  })
  method: ResourceMethod;

  @Ref('user', { optional: true, description: 'the user who owns it' })
  user: Id | null;

  @Text({ min: 1, description: 'name for people' })
  name: string;

  @LongText({ default: '', description: 'full description' })
  description: string;

  @Nested(() => ImageObject, { optional: true, description: 'an image, named by its id in bodies' })
  image: ImageObject | null;

  @Ref('product', { optional: true })
  product: Id | null;

  @Texts({ default: () => [], description: 'words of your own' })
  tags: string[];

  @Text({ filled: true, description: 'readable id of 6 characters' })
  human_id: string;

  @Text({ optional: true, description: 'an id of your own' })
  reference_id: string | null;

  @Choice(RESOURCE_STATUSES, { default: 'CREATED', description: 'where it is and what is done with it' })
  status: ResourceStatus;

  @Flag({ default: false })
  deleted: boolean;

  @Instant({ last: true })
  modified: Date;
}

/** A reusable asset, or a retail item, which has prices. */
@RecordOf({
  collection: 'resources',
  owner: 'user',
  counted: ['name', 'description', 'image', 'tags', 'reference_id', '_sub_products'],
  noun: 'resource',
  cls: 'Resource.Asset',
  touched: 'modified',
  deleted: 'deleted',
  auditsUsers: true,
  list: {
    sorts: ['created', 'modified', 'name'],
    by: { user: ['created', 'modified', 'name'], status: ['created'] },
  },
  indexes: [
    { fields: { company: 1, 'image._id': 1 }, options: { partialFilterExpression: { 'image._id': ANY_ID } } },
    {
      fields: { company: 1, human_id: 1 },
      options: { unique: true },
      // A human_id was generated twice: the request runs again and generates another.
      taken: { code: 'record.conflict', path: 'human_id', message: 'This human_id is in use' },
    },
  ],
})
export class ResourceRecord extends AssetFields {
  @Refs('product', { default: () => [], description: 'the sub-products that are sold with the product' })
  _sub_products: Id[];

  @Amount({ optional: true, description: "the product's price plus those of the sub-products" })
  base_price: number | null;

  @Amount({ optional: true, description: 'the same for the prices after discounts' })
  retail_price: number | null;

  @Currency({ optional: true, description: "the product's" })
  currency: string | null;

  @Fraction({ optional: true, description: "the product's; 0.25 is 25 %" })
  vat: number | null;
}

/** An asset as replies show it. */
export class AssetResource extends AssetFields {}

/** The record as replies show it: only retail items have prices. */
export function shownResource(resource: ResourceRecord): ResourceRecord {
  if (resource.method === 'retail') return resource;
  return Object.setPrototypeOf({ ...resource }, AssetResource.prototype) as ResourceRecord;
}
