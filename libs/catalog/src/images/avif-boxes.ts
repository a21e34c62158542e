/** An AVIF file has three or four boxes at its top: type, description, data. */
const MAX_BOXES = 64;
const HEADER = 8;

/**
 * Whether an AVIF file contains an attack by the number of its boxes: the decoder limits boxes within boxes, but at the
 * top it would read a million of eight bytes each, for a second and with 100 MB.
 */
export function hasTooManyBoxes(bytes: Buffer): boolean {
  if (bytes.length < HEADER || bytes.toString('latin1', 4, HEADER) !== 'ftyp') return false;
  let at = 0;
  for (let count = 0; at + HEADER <= bytes.length; count += 1) {
    if (count === MAX_BOXES) return true;
    const size = sizeOf(bytes, at);
    if (size < HEADER) return false;
    at += size;
  }
  return false;
}

/** The size of a box; 0 where it is the last, or unreadable, in which case the decoder refuses it. */
function sizeOf(bytes: Buffer, at: number): number {
  const size = bytes.readUInt32BE(at);
  if (size !== 1) return size;
  return at + 16 <= bytes.length ? Number(bytes.readBigUInt64BE(at + HEADER)) : 0;
}
