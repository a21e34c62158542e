import { avifExtent } from './headers/avif.js';
import type { Extent } from './headers/extent.js';
import { jpegExtent } from './headers/jpeg.js';
import { gifExtent, pngExtent, webpExtent } from './headers/simple.js';

/** What the bytes of an image say of themselves. */
export interface ImageHeader extends Extent {
  readonly content_type: string;
}

const READERS: readonly (readonly [string, (bytes: Buffer) => Extent | null])[] = [
  ['image/png', pngExtent],
  ['image/jpeg', jpegExtent],
  ['image/webp', webpExtent],
  ['image/gif', gifExtent],
  ['image/avif', avifExtent],
];

export const IMAGE_TYPES = READERS.map(([type]) => type);

/**
 * Reads type and size in pixels from the bytes themselves, whatever name or type came with them. Null for anything
 * that is none of the formats, or that ends before its size is told.
 */
export function readImageHeader(bytes: Buffer): ImageHeader | null {
  for (const [content_type, extentOf] of READERS) {
    const extent = extentOf(bytes);
    if (extent === null) continue;
    const { width, height } = extent;
    return width > 0 && height > 0 ? { content_type, width, height } : null;
  }
  return null;
}
