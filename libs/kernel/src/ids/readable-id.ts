/** Upper-case letters and digits without those that are easily confused: 0 O 1 I L. */
export const READABLE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
export const READABLE_LENGTH = 6;

/**
 * A short id that can be read out over the telephone: 6 characters of {@link READABLE_ALPHABET}. `random` returns
 * uniform bytes; those that would favour the first letters are discarded.
 */
export function readableId(random: (bytes: number) => Uint8Array): string {
  const fair = 256 - (256 % READABLE_ALPHABET.length);
  let id = '';
  while (id.length < READABLE_LENGTH) {
    for (const byte of random(READABLE_LENGTH * 2)) {
      if (byte < fair && id.length < READABLE_LENGTH)
        id += READABLE_ALPHABET.charAt(byte % READABLE_ALPHABET.length);
    }
  }
  return id;
}
