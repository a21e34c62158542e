import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import { isFault } from '@commerce/kernel';
import { UnitsOfWork, type Caller } from '@commerce/data';
import { Sweeps } from '@commerce/jobs';
import { SystemClock } from '@commerce/platform';
import { randomId, type Id } from '@commerce/records';

import { ImageCodec, ownerOf } from './image-codec.js';
import { ImageContentStore } from './image-content.store.js';
import { Measure, checkName, imageOf, type StoredContent, type Upload } from './image-upload.js';
import type { ImageRecord } from './image.record.js';
import { ImageStore, type Uploader } from './image.store.js';

/** An upload takes seconds; one that was not committed after this long was interrupted. */
const UPLOAD_MS = 3_600_000;
const BATCH = 100;

/** Images of products and resources. Their content never changes. */
@Injectable()
export class Images {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly codec: ImageCodec,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Stores an upload as a stream. It becomes an image by `create`; until then it is invisible.
   * @throws Fault `image.quota_exceeded` where the quota of the company or the user is used up
   */
  async receive(uploader: Uploader, file: Readable): Promise<StoredContent> {
    const content = randomId();
    const upload = { _id: content, company: uploader.company };
    const measure = new Measure();
    // Attached before the first await: a client may disconnect at any time. The reader of `measure` then gets the
    // error.
    measure.on('error', () => undefined);
    file.once('error', (error) => measure.destroy(error));
    file.pipe(measure);
    try {
      await this.store.requireRoom(uploader);
      await this.contents.write(upload, measure, this.clock.now());
    } catch (error) {
      file.unpipe(measure);
      file.resume();
      await this.contents.drop(upload);
      throw error;
    }
    return { content, size: measure.size, digest: measure.digest() };
  }

  /** Removes a received upload that will not become an image. */
  async drop({ company }: Pick<Uploader, 'company'>, _id: StoredContent['content']): Promise<void> {
    await this.contents.drop({ _id, company });
  }

  async create(uploader: Uploader, upload: Upload): Promise<ImageRecord> {
    try {
      return await this.keep(uploader, upload);
    } catch (error) {
      // A refused file takes no storage; after any other error the sweep removes it, unless it was kept after all.
      if (isFault(error)) await this.drop(uploader, upload.content);
      throw error;
    }
  }

  private async keep(uploader: Uploader, upload: Upload): Promise<ImageRecord> {
    checkName(upload);
    const { content, size } = upload;
    const properties = await this.codec.inspect(ownerOf(uploader), () =>
      buffer(this.contents.read(content, 0, size)),
    );
    const now = this.clock.now();
    const image = imageOf(uploader, upload, properties, now);
    return this.units.write(
      uploader.company,
      (work) => {
        this.contents.keep(work, content);
        this.store.count(work, image);
        return work.insert(this.store, image);
      },
      now,
    );
  }

  /**
   * Keeps an image for good, because invoices will show it as the logo of the seller.
   * @param path the field that names it
   * @throws Fault `image.unknown` where the company has no such image
   */
  async keepForInvoices(company: Id, id: Id, path: string): Promise<void> {
    const images = this.store.in(company);
    const { on_invoices } = await images.referred(id, path);
    if (!on_invoices) await this.units.change(images, id, () => ({ changes: { on_invoices: true } }));
  }

  /** Everyone in the company may read an image; a deleted one only an admin. */
  async get({ company, role }: Pick<Caller, 'company' | 'role'>, id: string): Promise<ImageRecord> {
    return this.store.in(company).get(id, { deleted: role === 'admin' });
  }

  /** Removes uploaded content that was never committed. */
  @Sweeps('image-uploads', 10)
  async sweep(): Promise<void> {
    const limit = new Date(this.clock.now().getTime() - UPLOAD_MS);
    await this.contents.discard(limit, BATCH);
  }
}
