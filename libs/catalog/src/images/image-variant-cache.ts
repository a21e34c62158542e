import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import { SystemClock, UnitsOfWork, newId } from '@commerce/platform';

import { ImageCodec } from './image-codec.js';
import { ImageContentStore, type ImageVariant } from './image-content.store.js';
import type { ImageRecord } from './image.record.js';
import { digestOf } from './image-upload.js';

/** Variants of images, made when first requested and stored beside the original from then on. */
@Injectable()
export class ImageVariantCache {
  /** Variants that this process is making, by image and width. */
  private readonly pending = new Map<string, Promise<ImageVariant>>();

  constructor(
    private readonly contents: ImageContentStore,
    private readonly codec: ImageCodec,
    private readonly units: UnitsOfWork,
    private readonly clock: SystemClock,
  ) {}

  /** The variant of this width, one of VARIANT_WIDTHS. */
  async get(image: ImageRecord, width: number): Promise<ImageVariant> {
    return (await this.contents.variant(image._id, width)) ?? (await this.makeOnce(image, width));
  }

  private async makeOnce(image: ImageRecord, width: number): Promise<ImageVariant> {
    const key = `${image._id.toHexString()} ${String(width)}`;
    const running = this.pending.get(key);
    if (running !== undefined) return running;
    const made = this.make(image, width).finally(() => this.pending.delete(key));
    this.pending.set(key, made);
    return made;
  }

  /** If another process was faster, its variant counts, and the content written here is left to the sweep. */
  private async make(image: ImageRecord, width: number): Promise<ImageVariant> {
    const { _id, company, size, content_type } = image;
    const original = (): Promise<Buffer> => buffer(this.contents.read(_id, 0, size));
    const bytes = await this.codec.resize(original, content_type, width);
    const variant = { content: newId(), size: bytes.length, digest: digestOf(bytes) };
    const now = this.clock.now();
    await this.contents.write(variant.content, bytes, now);
    const work = this.units.begin(company, now);
    this.contents.addVariant(work, _id, width, variant);
    this.contents.keep(work, variant.content);
    try {
      await work.commit();
      return variant;
    } catch (error) {
      const stored = await this.contents.variant(_id, width);
      if (stored === null) throw error;
      return stored;
    }
  }
}
