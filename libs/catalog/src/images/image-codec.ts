import { Injectable } from '@nestjs/common';
import { fault, fieldFault, type Fault } from '@commerce/kernel';
import { BulkheadFullError, FairBulkhead, type BulkheadLimits, type WorkOwner } from '@commerce/platform';
import type { Id } from '@commerce/records';
import sharp, { type Sharp, type SharpOptions } from 'sharp';

import { hasTooManyBoxes } from './avif-boxes.js';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The most pixels (width × height) of an image. Some formats take 8 bytes of memory for each. */
export const MAX_IMAGE_PIXELS = 50_000_000;

/** The greatest height of a variant: that of a very tall image is narrower than requested instead of huge. */
const MAX_VARIANT_HEIGHT = 8192;

/** Each image in progress occupies one of the four threads that Node also uses for files and DNS. */
const PLACES: BulkheadLimits = { running: 2, waiting: 200, perCompany: 100, perCustomer: 100 };
const TIMEOUT_S = 20;

const LIMITS: SharpOptions = { limitInputPixels: MAX_IMAGE_PIXELS, sequentialRead: true };

/** Some phones write photos like this; every viewer shows them. */
const HARMLESS_WARNING = /Invalid SOS parameters for sequential JPEG/;

// libvips has these settings once per process. Each image is used once, so a cache would only cost memory; and only
// the loaders of the five accepted formats ever get to see uploaded bytes.
sharp.cache(false);
sharp.concurrency(1);
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((loader) => `VipsForeignLoad${loader}Buffer`),
});

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The properties of an image according to its bytes, regardless of its name or declared type. */
export interface ImageProperties {
  readonly content_type: ImageType;
  /** In pixels, as stored, before any rotation by its metadata. For animations, the size of one frame. */
  readonly width: number;
  readonly height: number;
  /** True when its metadata rotates it by 90° either way, so that it is shown `height` pixels wide. */
  readonly quarter_turned: boolean;
}

/**
 * Decodes and encodes images off the main thread and only a few at a time, so that neither many images nor a malicious
 * one block the service.
 */
@Injectable()
export class ImageCodec {
  private readonly slots = new FairBulkhead(PLACES);

  /**
   * Reads type and size, and decodes the image (of an animation, the first frame) to make sure that it is intact. The
   * bytes are read only when it is this image's turn.
   * @throws Fault `image.unsupported` for anything but an intact image of a known format, `image.too_large`, or
   * `service.overloaded` when too many images wait
   */
  async inspect(owner: WorkOwner, read: () => Promise<Buffer>): Promise<ImageProperties> {
    return this.run(owner, async () => {
      const bytes = await read();
      if (hasTooManyBoxes(bytes)) throw unsupported();
      const properties = await readProperties(bytes);
      if (properties.width * properties.height > MAX_IMAGE_PIXELS) throw tooLarge();
      await decode(bytes);
      return properties;
    });
  }

  /**
   * The image reduced to a width, upright and without metadata, never enlarged; of an animation, the first frame. The
   * bytes are read only when it is this image's turn.
   * @throws Fault `service.overloaded` when too many images wait
   */
  async resize(
    owner: WorkOwner,
    read: () => Promise<Buffer>,
    type: ImageType,
    width: number,
  ): Promise<Buffer> {
    const size = { width, height: MAX_VARIANT_HEIGHT };
    return this.run(owner, async () => encoded(reduced(await read(), size), type).toBuffer());
  }

  /**
   * The image as PNG, no larger than `size` in pixels; else as `resize` makes it.
   * @throws Fault `service.overloaded` when too many images wait
   */
  async png(owner: WorkOwner, read: () => Promise<Buffer>, size: ImageSize): Promise<Buffer> {
    return this.run(owner, async () =>
      reduced(await read(), size)
        .png()
        .toBuffer(),
    );
  }

  private async run<T>(owner: WorkOwner, work: () => Promise<T>): Promise<T> {
    try {
      return await this.slots.run(owner, work);
    } catch (error) {
      if (error instanceof BulkheadFullError || isTimeout(error)) {
        throw fault('service.overloaded', 'Too many images are being processed right now; try again');
      }
      throw error;
    }
  }
}

/** Whose share of the codec an image counts towards: that of its company, and of the user who uploaded it. */
export function ownerOf({ company, user }: { readonly company: Id; readonly user: Id | null }): WorkOwner {
  return { company: company.toHexString(), customer: user?.toHexString() ?? null };
}

function reduced(bytes: Buffer, { width, height }: ImageSize): Sharp {
  return sharp(bytes, { ...LIMITS, failOn: 'none' })
    .autoOrient()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_S });
}

async function readProperties(bytes: Buffer): Promise<ImageProperties> {
  try {
    // This only reads the header and so needs no limit.
    const { mediaType, width, height, orientation } = await sharp(bytes, {
      ...LIMITS,
      limitInputPixels: false,
    }).metadata();
    const content_type = IMAGE_TYPES.find((type) => type === mediaType);
    if (content_type === undefined) throw unsupported();
    return { content_type, width, height, quarter_turned: orientation !== undefined && orientation >= 5 };
  } catch {
    throw unsupported();
  }
}

/** Decodes every pixel and keeps none. */
async function decode(bytes: Buffer, failOn: 'warning' | 'error' = 'warning'): Promise<void> {
  try {
    await sharp(bytes, { ...LIMITS, failOn })
      .resize(1, 1, { fit: 'fill' })
      .timeout({ seconds: TIMEOUT_S })
      .raw()
      .toBuffer();
  } catch (error) {
    if (isTimeout(error)) throw error;
    if (failOn === 'error' || !HARMLESS_WARNING.test(String(error))) throw unsupported();
    await decode(bytes, 'error');
  }
}

function encoded(image: Sharp, type: ImageType): Sharp {
  switch (type) {
    case 'image/png':
      return image.png();
    case 'image/jpeg':
      return image.jpeg();
    case 'image/webp':
      return image.webp();
    case 'image/gif':
      return image.gif();
    case 'image/avif':
      // The default effort takes twenty times as long for files of the same size.
      return image.avif({ effort: 2 });
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('timeout:');
}

function unsupported(): Fault {
  const formats = IMAGE_TYPES.map((type) => type.slice('image/'.length)).join(', ');
  return fieldFault(
    'file',
    `file must be an intact image in one of the formats ${formats}`,
    'image.unsupported',
  );
}

function tooLarge(): Fault {
  const most = String(MAX_IMAGE_PIXELS / 1_000_000);
  return fieldFault('file', `file must have at most ${most} megapixels`, 'image.too_large');
}
