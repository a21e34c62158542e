import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Id, UnitOfWork } from '@commerce/platform';
import { mongo, type Connection } from 'mongoose';

const BUCKET = 'image_content';

/** An upload that began; the row goes away in the commit of the image's record. */
interface Upload {
  readonly _id: Id;
  readonly began: Date;
}

/**
 * The bytes of images, in GridFS. They are too many for the transaction that writes the record, so an upload is
 * noted first, and that transaction takes the note away: content whose note gets old belongs to no image.
 */
@Injectable()
export class ImageContentStore {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async write(id: Id, bytes: Buffer, now: Date): Promise<void> {
    await this.uploads.insertOne({ _id: id, began: now });
    await pipeline(Readable.from(bytes), this.bucket.openUploadStreamWithId(id, id.toHexString()));
  }

  /** Keeps what was written, in the commit of the record that it belongs to. */
  keep(work: UnitOfWork, id: Id): void {
    work.also(async (session) => {
      const { deletedCount } = await this.uploads.deleteOne({ _id: id }, { session });
      if (deletedCount === 0) throw new Error('the content of an image was taken away before its commit');
    });
  }

  /** The bytes from `start` up to, but not including, `end`. */
  read(id: Id, start: number, end: number): Readable {
    return this.bucket.openDownloadStream(id, { start, end });
  }

  /** Takes away what uploads left behind that began before `limit` and did not come to their commit. */
  async discard(limit: Date, most: number): Promise<number> {
    const left = await this.uploads
      .find({ began: { $lt: limit } })
      .limit(most)
      .toArray();
    for (const { _id } of left) {
      await this.connection.collection(`${BUCKET}.files`).deleteOne({ _id });
      await this.connection.collection(`${BUCKET}.chunks`).deleteMany({ files_id: _id });
      await this.uploads.deleteOne({ _id });
    }
    return left.length;
  }

  private get uploads(): mongo.Collection<Upload> {
    return this.connection.collection<Upload>('image_uploads');
  }

  private get bucket(): mongo.GridFSBucket {
    const { db } = this.connection;
    if (!db) throw new Error('the database is not connected');
    return new mongo.GridFSBucket(db, { bucketName: BUCKET });
  }
}
