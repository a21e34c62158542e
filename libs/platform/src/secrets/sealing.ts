import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Identifies a key without revealing it. */
export function keyId(key: Uint8Array): string {
  return createHash('sha256').update('webhook secret key').update(key).digest('hex').slice(0, 8);
}

/**
 * Seals text with a key of 32 bytes: `<key id>.<iv, tag and cipher text in base64url>`. `about` names what it belongs
 * to: sealed text that is copied elsewhere does not open.
 */
export function seal(text: string, about: string, key: Uint8Array): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv);
  cipher.setAAD(Buffer.from(about, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${keyId(key)}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

const SEALED = /^[0-9a-f]{8}\.[A-Za-z0-9_-]{38,}$/;

/** Whether the text is sealed, by whichever key. Neither JSON nor a secret of the provider looks like it. */
export function isSealed(text: string): boolean {
  return SEALED.test(text);
}

/** Whether the text was sealed with this key. */
export function isSealedBy(text: string, key: Uint8Array): boolean {
  return isSealed(text) && text.startsWith(`${keyId(key)}.`);
}

/** Opens sealed text with whichever of the keys sealed it. Throws if none of them did or the text was altered. */
export function open(sealed: string, about: string, keys: readonly Uint8Array[]): string {
  const [id, data = ''] = sealed.split('.');
  const key = keys.find((one) => keyId(one) === id);
  if (key === undefined) throw new Error('a secret is sealed with a key that is not configured');
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(about, 'utf8'));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
