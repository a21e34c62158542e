/**
 * Numbers and words of a file's header. Past the end of the file a number is NaN and a word is empty: no
 * comparison holds for them and no size can be made of them, so that readers of headers need not look ahead.
 */

/** The number in `length` bytes (1 to 6), the most significant first. */
export function bigEndian(bytes: Buffer, at: number, length: number): number {
  return reaches(bytes, at, length) ? bytes.readUIntBE(at, length) : NaN;
}

/** The number in `length` bytes (1 to 6), the least significant first. */
export function littleEndian(bytes: Buffer, at: number, length: number): number {
  return reaches(bytes, at, length) ? bytes.readUIntLE(at, length) : NaN;
}

export function word(bytes: Buffer, at: number, length = 4): string {
  return reaches(bytes, at, length) ? bytes.toString('latin1', at, at + length) : '';
}

function reaches(bytes: Buffer, at: number, length: number): boolean {
  return at >= 0 && at + length <= bytes.length;
}
