import { Flag, Instant, Integer, OwnedRecord, RecordOf, Ref, Text, type Id } from '@commerce/records';

import type { ImageType } from './image-codec.js';

/** An image; ImageContentStore keeps its content. */
@RecordOf({
  collection: 'images',
  noun: 'image',
  cls: 'Image',
  touched: 'modified',
  deleted: 'deleted',
  owner: 'user',
  counted: [],
  auditsUsers: true,
  indexes: [
    // The sum of the sizes is read from this index alone.
    { fields: { company: 1, size: 1 } },
    { fields: { company: 1, user: 1, _id: 1 } },
  ],
})
export class ImageRecord extends OwnedRecord {
  @Text({ max: 2048, description: 'path of its content on this service; no header is needed there' })
  url: string;

  @Text({ optional: true, description: 'the name of the uploaded file' })
  name: string | null;

  @Text({ example: 'image/png', description: 'the media type of the file, as recognised by its bytes' })
  content_type: ImageType;

  @Integer({ description: 'in pixels, before any rotation by its metadata' })
  width: number;

  @Integer({ description: 'in pixels, before any rotation by its metadata' })
  height: number;

  @Integer({ description: 'in bytes' })
  size: number;

  /** The user who uploaded it; null for an admin's image. Hidden, because the whole company may read the record. */
  @Ref('user', { hidden: true, optional: true })
  user: Id | null;

  /** SHA-256 of the content, in hexadecimal digits. */
  @Text({ hidden: true })
  digest: string;

  /** True when its metadata rotates it by 90° either way, so that it is shown `height` pixels wide. */
  @Flag({ hidden: true, default: false })
  quarter_turned: boolean;

  /** True once it was the logo of the seller: invoices that were issued then go on showing it. */
  @Flag({ hidden: true, default: false })
  on_invoices: boolean;

  @Flag({ default: false, last: true })
  deleted: boolean;

  @Instant({ last: true })
  modified: Date;
}
