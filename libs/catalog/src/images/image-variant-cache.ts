import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import { UnitsOfWork } from '@commerce/data';
import { SystemClock } from '@commerce/platform';
import { newId } from '@commerce/records';

import { ImageCodec, ownerOf } from './image-codec.js';
import { ImageContentStore, type ImageVariant } from './image-content.store.js';
import type { ImageRecord } from './image.record.js';
import { ImageStore } from './image.store.js';
import { digestOf } from './image-upload.js';

/** Variants of images, made when first requested and stored beside the original from then on. */
@Injectable()
export class ImageVariantCache {
  /** Variants that this process is looking up or making, by image and width, so that it makes none twice. */
  private readonly pending = new Map<string, Promise<ImageVariant>>();

  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly codec: ImageCodec,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** The variant of this width, one of VARIANT_WIDTHS. */
  async get(image: ImageRecord, width: number): Promise<ImageVariant> {
    const key = `${image._id.toHexString()} ${String(width)}`;
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    const found = this.findOrMake(image, width).finally(() => this.pending.delete(key));
    this.pending.set(key, found);
    return found;
  }

  private async findOrMake(image: ImageRecord, width: number): Promise<ImageVariant> {
    return (await this.contents.variant(image, width)) ?? (await this.make(image, width));
  }

  /**
   * Makes and stores a variant; if another process was faster, its variant counts, and the content written here is left
   * to the sweep. The commit writes the image, too, so that no variant is added to one that is being deleted.
   */
  private async make(image: ImageRecord, width: number): Promise<ImageVariant> {
    const { _id, company, size, content_type } = image;
    const original = (): Promise<Buffer> => buffer(this.contents.read(_id, 0, size));
    const bytes = await this.codec.resize(ownerOf(image), original, content_type, width);
    const variant = { content: newId(), size: bytes.length, digest: digestOf(bytes) };
    await this.contents.write({ _id: variant.content, company }, bytes, this.clock.now());
    try {
      await this.units.change(this.store.in(company), _id, (_image, work) => {
        this.contents.addVariant(work, _id, width, variant);
        this.contents.keep(work, variant.content);
        return { changes: {} };
      });
      return variant;
    } catch (error) {
      const stored = await this.contents.variant(image, width);
      if (stored === null) throw error;
      return stored;
    }
  }
}
