import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';
import { Sweeps, SystemClock, UnitsOfWork, type Caller } from '@commerce/platform';

import { ImageContentStore } from './image-content.store.js';
import type { ImageRecord } from './image.record.js';
import { ImageStore } from './image.store.js';
import { imageOf, type Upload } from './upload.js';

/** An upload takes seconds; one of which nothing came after this was cut off. */
const UPLOAD_MS = 3_600_000;
const BATCH = 100;

/** An image's content, ready to be read in whole or in part. */
export interface ImageContent {
  readonly content_type: string;
  readonly size: number;
  readonly digest: string;
  /** The bytes from `start` up to, but not including, `end`. */
  readonly read: (start: number, end: number) => Readable;
}

/** Images of products and resources. They never change. */
@Injectable()
export class Images {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  async create(caller: Pick<Caller, 'company'>, upload: Upload): Promise<ImageRecord> {
    const now = this.clock.now();
    const image = imageOf(caller.company, upload, now);
    await this.contents.write(image._id, upload.bytes, now);
    const work = this.units.begin(caller.company, now);
    work.insert(this.store, image);
    this.contents.keep(work, image._id);
    await work.commit();
    return image;
  }

  async get(caller: Pick<Caller, 'company'>, id: string): Promise<ImageRecord> {
    return this.store.in(caller.company).get(id);
  }

  /** Whoever knows the id may see the content, of whatever company it is. */
  async content(id: string): Promise<ImageContent> {
    const image = await this.store.anyones(id);
    if (image === null) throw fault('image.not_found', 'There is no image with this id');
    const { _id, content_type, size, digest } = image;
    return { content_type, size, digest, read: (start, end) => this.contents.read(_id, start, end) };
  }

  /** Takes away content that was uploaded, but whose record was never written. */
  @Sweeps('image-uploads')
  async sweep(): Promise<void> {
    const limit = new Date(this.clock.now().getTime() - UPLOAD_MS);
    await this.contents.discard(limit, BATCH);
  }
}
