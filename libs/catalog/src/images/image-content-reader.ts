import type { Readable } from 'node:stream';

import { Injectable } from '@nestjs/common';
import { fault } from '@commerce/kernel';

import { ImageContentStore } from './image-content.store.js';
import { ImageVariantCache } from './image-variant-cache.js';
import { variantWidth } from './image-width.js';
import { ImageStore } from './image.store.js';
import type { ImageContentQuery } from './images.bodies.js';

/** The content of an image or of a variant, ready to be read in whole or in part. */
export interface ImageContent {
  readonly content_type: string;
  readonly size: number;
  readonly digest: string;
  /** The bytes from `start` up to, but not including, `end`. */
  readonly read: (start: number, end: number) => Readable;
}

/** Gives out the content of images: the original or, when a smaller width is asked for, a variant. */
@Injectable()
export class ImageContentReader {
  constructor(
    private readonly store: ImageStore,
    private readonly contents: ImageContentStore,
    private readonly variants: ImageVariantCache,
  ) {}

  /** Whoever knows the id may see the content, whichever company it belongs to. */
  async content(id: string, { width: requested }: ImageContentQuery): Promise<ImageContent> {
    const image = await this.store.findInAnyCompany(id);
    if (image === null) throw fault('image.not_found', 'There is no image with this id');
    const shownWidth = image.quarter_turned ? image.height : image.width;
    const width = requested === null ? shownWidth : variantWidth(requested);
    const { content, size, digest } =
      width < shownWidth ? await this.variants.get(image, width) : { ...image, content: image._id };
    const { content_type } = image;
    return { content_type, size, digest, read: (start, end) => this.contents.read(content, start, end) };
  }
}
