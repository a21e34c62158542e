import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const POOL = Buffer.alloc(8192);
let used = POOL.length;

/** `length` random characters of 0-9A-Za-z. Bytes come from a pool, since one system call per id would show. */
export function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    if (used === POOL.length) {
      randomFillSync(POOL);
      used = 0;
    }
    const byte = POOL[used++] ?? 0;
    // 248 is the largest multiple of 62 in a byte: taking more would favour the first characters.
    if (byte < 248) text += ALPHABET[byte % 62] ?? '';
  }
  return text;
}

export type Prefix = 'cus' | 'pm' | 'seti' | 'pi' | 'ch' | 're' | 'du' | 'evt' | 'req' | 'task';

/** A fresh id such as `pi_3…`: the prefix and 24 characters. */
export const newId = (prefix: Prefix): string =>
  `${prefix}_${prefix === 'req' ? randomText(14) : randomText(24)}`;
