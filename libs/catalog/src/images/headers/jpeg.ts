import { bigEndian } from './bytes.js';
import type { Extent } from './extent.js';

const FILL = 0xff;
const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/** JPEG: a chain of segments, among them the frame, which knows the size; it stands before the first scan. */
export function jpegExtent(bytes: Buffer): Extent | null {
  if (bigEndian(bytes, 0, 3) !== 0xffd8ff) return null;
  for (let at = 2; bigEndian(bytes, at, 1) === FILL;) {
    while (bigEndian(bytes, at, 1) === FILL) at += 1;
    const marker = bigEndian(bytes, at, 1);
    if (isFrame(marker)) {
      return { width: bigEndian(bytes, at + 6, 2), height: bigEndian(bytes, at + 4, 2) };
    }
    if (marker === START_OF_SCAN || marker === END_OF_IMAGE) return null;
    at += 1 + (standsAlone(marker) ? 0 : bigEndian(bytes, at + 1, 2));
  }
  return null;
}

/** SOF0 to SOF15, without the three codes between them that mean tables and arithmetic coding. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** Markers that no length follows. */
function standsAlone(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}
