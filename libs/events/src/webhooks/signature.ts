import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** The secrets of one webhook as keys: the current one and, for a day after a rotation, the previous one. */
export interface SigningKeys {
  readonly current: KeyObject;
  readonly previous: KeyObject | null;
}

/** The key is the text of the secret as the API shows it, not the bytes that its digits encode. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/** The secret in the format that Standard Webhooks libraries take. */
export function signingSecret(secret: string): string {
  return `whsec_${Buffer.from(secret, 'utf8').toString('base64')}`;
}

/** HMAC-SHA256 of the body's bytes, in hex. */
export function hexSignature(key: KeyObject, body: Uint8Array): string {
  return createHmac('sha256', key).update(body).digest('hex');
}

/** `v1,<base64>` over id, timestamp in seconds and body; one for each key, the current one first. */
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
