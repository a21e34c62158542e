import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import { RowCollection, type UnitOfWork } from '@commerce/data';
import { BY_COMPANY, type Id, type Sharding } from '@commerce/records';
import { mongo, type Connection } from 'mongoose';

import { VARIANT_WIDTHS } from './image-width.js';
import type { ImageRecord } from './image.record.js';

const BUCKET = 'image_content';

/** Content is spread over all shards, apart from its company's records. */
const BY_CONTENT: Sharding = { key: { files_id: 'hashed' } };

/** The collections and indexes of GridFS. */
const FILES = new RowCollection(`${BUCKET}.files`, {
  sharding: null,
  indexes: [{ key: { filename: 1, uploadDate: 1 } }],
});
const CHUNKS = new RowCollection<{ files_id: Id }>(`${BUCKET}.chunks`, {
  sharding: BY_CONTENT,
  indexes: [{ key: { files_id: 1, n: 1 }, unique: true }],
});

/** A started upload, until its content is kept; or the content of a deleted image, until it is removed. */
interface PendingUpload {
  readonly _id: Id;
  readonly company: Id;
  readonly began: Date;
}

const UPLOADS = new RowCollection<PendingUpload>('image_uploads', { sharding: BY_COMPANY });

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
  readonly company: Id;
}

const VARIANTS = new RowCollection<VariantDocument>('image_variants', { sharding: BY_COMPANY });

/** An image, or its content, and its company. */
type Owned = Pick<ImageRecord, '_id' | 'company'>;

/**
 * The bytes of images and of their variants, in GridFS. They exceed the transaction that writes the record, so each
 * upload is registered first, and that transaction deletes the registration: old registrations mark orphaned content.
 */
@Injectable()
export class ImageContentStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Stores content as a stream, with one chunk in memory at a time. */
  async write({ _id: id, company }: Owned, content: Buffer | Readable, now: Date): Promise<void> {
    await this.uploads.insertOne({ _id: id, company, began: now });
    const source = Buffer.isBuffer(content) ? Readable.from([content]) : content;
    await pipeline(source, this.bucket.openUploadStreamWithId(id, id.toHexString()));
  }

  /** Keeps written content, in the commit of its record. */
  keep(work: UnitOfWork, _id: Id): void {
    const { company } = work;
    work.also(async (session) => {
      const { deletedCount } = await this.uploads.deleteOne({ _id, company }, { session });
      if (deletedCount === 0) throw new Error('the content of an image was removed before its commit');
    });
  }

  /** The bytes from `start` up to, but not including, `end`. */
  read(id: Id, start: number, end: number): Readable {
    return this.bucket.openDownloadStream(id, { start, end });
  }

  /** The variant of an image with this width; null until it is made. */
  async variant({ _id, company }: Owned, width: number): Promise<ImageVariant | null> {
    return this.variants.findOne({ _id: variantId(_id, width), company });
  }

  /** Adds a variant; the commit fails when one of this width exists. */
  addVariant(work: UnitOfWork, image: Id, width: number, variant: ImageVariant): void {
    work.also(async (session) => {
      const row = { _id: variantId(image, width), company: work.company, ...variant };
      await this.variants.insertOne(row, { session });
    });
  }

  /** Releases the content of an image, in the commit that deletes it; `drop` or else the sweep then removes it. */
  release(work: UnitOfWork, _id: Id): void {
    const document = { _id, company: work.company, began: work.now };
    work.row({ collection: UPLOADS.name, operation: { insertOne: { document } } });
  }

  /** Removes an image's content and its variants. */
  private async remove(image: Id, company: Id): Promise<void> {
    const ids = VARIANT_WIDTHS.map((width) => variantId(image, width));
    const variants = await this.variants.find({ _id: { $in: ids }, company }).toArray();
    for (const { _id, content } of variants) {
      // The content goes first, so that an interrupted removal can be continued.
      await this.removeContent(content);
      await this.variants.deleteOne({ _id, company });
    }
    await this.removeContent(image);
  }

  /** Removes the content of at most `most` uploads that began before `limit` and were never committed. */
  async discard(limit: Date, most: number): Promise<number> {
    const left = await this.uploads
      .find({ began: { $lt: limit } })
      .limit(most)
      .toArray();
    for (const upload of left) await this.drop(upload);
    return left.length;
  }

  /** Removes uploaded content that will not be kept, or was released. */
  async drop({ _id, company }: Pick<PendingUpload, '_id' | 'company'>): Promise<void> {
    await this.remove(_id, company);
    await this.uploads.deleteOne({ _id, company });
  }

  private async removeContent(id: Id): Promise<void> {
    await FILES.in(this.connection).deleteOne({ _id: id });
    await CHUNKS.in(this.connection).deleteMany({ files_id: id });
  }

  private get uploads(): mongo.Collection<PendingUpload> {
    return UPLOADS.in(this.connection);
  }

  private get variants(): mongo.Collection<VariantDocument> {
    return VARIANTS.in(this.connection);
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
