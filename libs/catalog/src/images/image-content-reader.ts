import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { Injectable } from '@nestjs/common';
import { fault, type Fault } from '@commerce/kernel';
import type { Id } from '@commerce/records';

import { ImageCodec, ownerOf, type ImageSize } from './image-codec.js';
import { ImageContentStore, type ImageVariant } from './image-content.store.js';
import { ImageVariantCache } from './image-variant-cache.js';
import { variantWidth } from './image-width.js';
import type { ImageRecord } from './image.record.js';
import { ImageStore } from './image.store.js';
import type { ImageContentQuery } from './images.dto.js';

/** The content of an image or of a variant, for reading in whole or in part. */
export interface ImageContent {
  readonly content_type: string;
  readonly size: number;
  readonly digest: string;
  /** The bytes from `start` up to, but not including, `end`. */
  readonly read: (start: number, end: number) => Readable;
}

/** Serves the content of images: the original or, for a smaller requested width, a variant. */
@Injectable()
export class ImageContentReader {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly variants: ImageVariantCache,
    private readonly codec: ImageCodec,
  ) {}

  /** Every caller who knows the id may see the content, in any company. */
  async content(id: string, { width: requested }: ImageContentQuery): Promise<ImageContent> {
    const image = await this.store.findInAnyCompany(id);
    if (image === null) throw notFound();
    const shownWidth = image.quarter_turned ? image.height : image.width;
    const width = requested === null ? shownWidth : variantWidth(requested);
    const { content, size, digest } =
      width < shownWidth ? await this.variant(image, width) : { ...image, content: image._id };
    const { content_type } = image;
    return { content_type, size, digest, read: (start, end) => this.contents.read(content, start, end) };
  }

  /** An image of a company as PNG, no larger than `most`; null where the company has none with this id. */
  async png(company: Id, id: string, most: ImageSize): Promise<Buffer | null> {
    const image = await this.store.findInAnyCompany(id);
    if (image?.company.equals(company) !== true) return null;
    return this.codec.png(ownerOf(image), () => buffer(this.contents.read(image._id, 0, image.size)), most);
  }

  /** An image that is deleted meanwhile has no content from which to make a variant. */
  private async variant(image: ImageRecord, width: number): Promise<ImageVariant> {
    try {
      return await this.variants.get(image, width);
    } catch (error) {
      if ((await this.store.findInAnyCompany(image._id.toHexString())) === null) throw notFound();
      throw error;
    }
  }
}

function notFound(): Fault {
  return fault('image.not_found', 'There is no image with this id');
}
