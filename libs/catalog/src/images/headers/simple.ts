import { bigEndian, littleEndian, word } from './bytes.js';
import type { Extent } from './extent.js';

/** PNG: its first chunk, IHDR, begins with the size. */
export function pngExtent(bytes: Buffer): Extent | null {
  if (word(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || word(bytes, 12) !== 'IHDR') return null;
  return { width: bigEndian(bytes, 16, 4), height: bigEndian(bytes, 20, 4) };
}

/** GIF: the size of its canvas follows the signature. */
export function gifExtent(bytes: Buffer): Extent | null {
  if (!['GIF87a', 'GIF89a'].includes(word(bytes, 0, 6))) return null;
  return { width: littleEndian(bytes, 6, 2), height: littleEndian(bytes, 8, 2) };
}

/** WebP: three kinds of first chunk; two of them pack the size into bits, or store it less one. */
export function webpExtent(bytes: Buffer): Extent | null {
  if (word(bytes, 0) !== 'RIFF' || word(bytes, 8) !== 'WEBP') return null;
  switch (word(bytes, 12)) {
    case 'VP8 ':
      if (bigEndian(bytes, 23, 3) !== 0x9d012a) return null;
      return {
        width: littleEndian(bytes, 26, 2) % 2 ** 14,
        height: littleEndian(bytes, 28, 2) % 2 ** 14,
      };
    case 'VP8L': {
      if (bigEndian(bytes, 20, 1) !== 0x2f) return null;
      const packed = littleEndian(bytes, 21, 4);
      return { width: (packed % 2 ** 14) + 1, height: (Math.floor(packed / 2 ** 14) % 2 ** 14) + 1 };
    }
    case 'VP8X':
      return { width: littleEndian(bytes, 24, 3) + 1, height: littleEndian(bytes, 27, 3) + 1 };
    default:
      return null;
  }
}
