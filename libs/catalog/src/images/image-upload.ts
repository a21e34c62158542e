import { createHash, randomBytes } from 'node:crypto';

import { fieldFault } from '@commerce/kernel';
import { parseId, makeRecord, type Id } from '@commerce/platform';

import type { ImageProperties } from './image-codec.js';
import { ImageRecord } from './image.record.js';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_NAME = 256;

/** An uploaded file. `digest` is the SHA-256 of its bytes, in hexadecimal digits. */
export interface Upload {
  readonly name: string | null;
  readonly bytes: Buffer;
  readonly digest: string;
}

export function uploadOf(name: string | null, bytes: Buffer): Upload {
  return { name, bytes, digest: digestOf(bytes) };
}

/** SHA-256, in hexadecimal digits. */
export function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** @throws Fault `value.invalid` for a file whose name cannot be kept */
export function checkName({ name }: Upload): void {
  if (name !== null && (name.length > MAX_NAME || /\0|\p{Surrogate}/u.test(name))) {
    throw fieldFault('file', `the name of the file must be text of at most ${String(MAX_NAME)} characters`);
  }
}

/** The record of an uploaded image. */
export function imageOf(
  company: Id,
  { name, bytes, digest }: Upload,
  properties: ImageProperties,
  now: Date,
): ImageRecord {
  const _id = unguessableId();
  const url = `/images/${_id.toHexString()}/content`;
  return makeRecord(ImageRecord, { _id, company, url, name, ...properties, size: bytes.length, digest }, now);
}

/**
 * Whoever knows the id can see the content. Ordinary ids count up within a process, so that one can be guessed from
 * another; this one is 96 random bits.
 */
function unguessableId(): Id {
  const id = parseId(randomBytes(12).toString('hex'));
  if (id === null) throw new Error('12 bytes did not make an id');
  return id;
}
