import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** Secrets of one webhook as keys: the one in use and, for a day after a rotation, the one before. */
export interface SigningKeys {
  readonly current: KeyObject;
  readonly previous: KeyObject | null;
}

/** The key of a secret: the bytes of its text, as the interface shows it, not what its digits stand for. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/** The secret in the form that libraries of the Standard Webhooks take. */
export function signingSecret(secret: string): string {
  return `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
}

/** Hex HMAC-SHA256 of the body's bytes. */
export function hexSignature(key: KeyObject, body: Uint8Array): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

/** `v1,<base64>` over id, timestamp in seconds and body; one for each key, the newer first. */
export function standardSignatures(
  keys: SigningKeys,
  id: string,
  timestamp: number,
  body: Uint8Array,
): string {
  const one = (key: KeyObject): string =>
    `v1,${createHmac('sha256', key)
      .update(`${id}.${String(timestamp)}.`)
      .update(body)
      .digest('base64')}`;
  return keys.previous === null ? one(keys.current) : `${one(keys.current)} ${one(keys.previous)}`;
}
