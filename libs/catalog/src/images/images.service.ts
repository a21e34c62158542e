import { Injectable } from '@nestjs/common';
import { Sweeps, SystemClock, UnitsOfWork, type Caller } from '@commerce/platform';

import { ImageCodec } from './image-codec.js';
import { ImageContentStore } from './image-content.store.js';
import { checkName, imageOf, type Upload } from './image-upload.js';
import type { ImageRecord } from './image.record.js';
import { ImageStore } from './image.store.js';

/** An upload takes seconds; one that was not committed after this long was cut off. */
const UPLOAD_MS = 3_600_000;
const BATCH = 100;

/** Images of products and resources. They never change. */
@Injectable()
export class Images {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly codec: ImageCodec,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  async create({ company }: Pick<Caller, 'company'>, upload: Upload): Promise<ImageRecord> {
    checkName(upload);
    const properties = await this.codec.inspect(upload.bytes);
    const now = this.clock.now();
    const image = imageOf(company, upload, properties, now);
    await this.contents.write(image._id, upload.bytes, now);
    return this.units.write(
      company,
      (work) => {
        this.contents.keep(work, image._id);
        return work.insert(this.store, image);
      },
      now,
    );
  }

  async get(caller: Pick<Caller, 'company'>, id: string): Promise<ImageRecord> {
    return this.store.in(caller.company).get(id);
  }

  /** Removes content that was uploaded, but not committed. */
  @Sweeps('image-uploads')
  async sweep(): Promise<void> {
    const limit = new Date(this.clock.now().getTime() - UPLOAD_MS);
    await this.contents.discard(limit, BATCH);
  }
}
