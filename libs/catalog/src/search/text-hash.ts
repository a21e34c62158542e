/** The hash of the empty text, before it is scattered. */
export const NO_TEXT = 0x811c9dc5;

/** FNV-1a: the hash of a text with one more UTF-16 code unit, before it is scattered. */
export function withUnit(value: number, unit: number): number {
  return Math.imul(value ^ unit, 0x01000193);
}

export function hash(text: string): number {
  let value = NO_TEXT;
  for (let at = 0; at < text.length; at += 1) value = withUnit(value, text.charCodeAt(at));
  return scattered(value);
}

/** The last step of MurmurHash3: each bit of the value changes half of the bits of the result. */
export function scattered(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
