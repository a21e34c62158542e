import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { UnitOfWork } from '@commerce/data';
import type { Id } from '@commerce/records';
import { mongo, type Connection } from 'mongoose';

import { VARIANT_WIDTHS } from './image-width.js';

const BUCKET = 'image_content';
const UPLOADS = 'image_uploads';

/** A started upload, until its content is kept; or the content of a deleted image, until it is removed. */
interface PendingUpload {
  readonly _id: Id;
  readonly began: Date;
}

/** A reduced copy of an image. */
export interface ImageVariant {
  /** The id of its content. */
  readonly content: Id;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 of its content, in hexadecimal digits. */
  readonly digest: string;
}

/** Its id is derived from image and width, so that only one of several writers adds the variant. */
interface VariantDocument extends ImageVariant {
  readonly _id: string;
}

/**
 * The bytes of images and of their variants, in GridFS. They exceed the transaction that writes the record, so each
 * upload is registered first, and that transaction deletes the registration: old registrations mark orphaned content.
 */
@Injectable()
export class ImageContentStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Stores content as a stream, with one chunk in memory at a time. */
  async write(id: Id, content: Buffer | Readable, now: Date): Promise<void> {
    await this.uploads.insertOne({ _id: id, began: now });
    const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    await pipeline(source, this.bucket.openUploadStreamWithId(id, id.toHexString()));
  }

  /** Keeps written content, in the commit of its record. */
  keep(work: UnitOfWork, id: Id): void {
    work.also(async (session) => {
      const { deletedCount } = await this.uploads.deleteOne({ _id: id }, { session });
      if (deletedCount === 0) throw new Error('the content of an image was removed before its commit');
    });
  }

  /** The bytes from `start` up to, but not including, `end`. */
  read(id: Id, start: number, end: number): Readable {
    return this.bucket.openDownloadStream(id, { start, end });
  }

  /** The variant of an image with this width; null until it is made. */
  async variant(image: Id, width: number): Promise<ImageVariant | null> {
    return this.variants.findOne({ _id: variantId(image, width) });
  }

  /** Adds a variant; the commit fails when one of this width exists. */
  addVariant(work: UnitOfWork, image: Id, width: number, variant: ImageVariant): void {
    work.also(async (session) => {
      await this.variants.insertOne({ _id: variantId(image, width), ...variant }, { session });
    });
  }

  /** Releases the content of an image, in the commit that deletes it; `drop` or else the sweep then removes it. */
  release(work: UnitOfWork, id: Id): void {
    const document = { _id: id, began: work.now };
    work.row({ collection: UPLOADS, operation: { insertOne: { document } } });
  }

  /** Removes an image's content and its variants. */
  private async remove(image: Id): Promise<void> {
    const ids = VARIANT_WIDTHS.map((width) => variantId(image, width));
    const variants = await this.variants.find({ _id: { $in: ids } }).toArray();
    for (const { _id, content } of variants) {
      // The content goes first, so that an interrupted removal can be continued.
      await this.removeContent(content);
      await this.variants.deleteOne({ _id });
    }
    await this.removeContent(image);
  }

  /** Removes the content of at most `most` uploads that began before `limit` and were never committed. */
  async discard(limit: Date, most: number): Promise<number> {
    const left = await this.uploads
      .find({ began: { $lt: limit } })
      .limit(most)
      .toArray();
    for (const { _id } of left) {
      await this.drop(_id);
    }
    return left.length;
  }

  /** Removes uploaded content that will not be kept, or was released. */
  async drop(id: Id): Promise<void> {
    await this.remove(id);
    await this.uploads.deleteOne({ _id: id });
  }

  private async removeContent(id: Id): Promise<void> {
    await this.connection.collection(`${BUCKET}.files`).deleteOne({ _id: id });
    await this.connection.collection(`${BUCKET}.chunks`).deleteMany({ files_id: id });
  }

  private get uploads(): mongo.Collection<PendingUpload> {
    return this.connection.collection<PendingUpload>(UPLOADS);
  }

  private get variants(): mongo.Collection<VariantDocument> {
    return this.connection.collection<VariantDocument>('image_variants');
  }

  private get bucket(): mongo.GridFSBucket {
    const { db } = this.connection;
    if (!db) throw new Error('the database is not connected');
    return new mongo.GridFSBucket(db, { bucketName: BUCKET });
  }
}

function variantId(image: Id, width: number): string {
  return `${image.toHexString()}/${String(width)}`;
}
