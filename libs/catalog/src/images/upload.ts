import { createHash, randomBytes } from 'node:crypto';

import { fieldFault } from '@commerce/kernel';
import { parseId, makeRecord, type Id } from '@commerce/platform';

import { IMAGE_TYPES, readImageHeader } from './image-header.js';
import { ImageRecord } from './image.record.js';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_NAME = 256;

/** A file as it came. `digest` is the SHA-256 of its bytes, in hexadecimal digits. */
export interface Upload {
  readonly name: string | null;
  readonly bytes: Buffer;
  readonly digest: string;
}

export function uploadOf(name: string | null, bytes: Buffer): Upload {
  return { name, bytes, digest: createHash('sha256').update(bytes).digest('hex') };
}

/**
 * The record of an uploaded image.
 * @throws Fault `image.unsupported` for bytes that are no image of a known format, `value.invalid` for its name
 */
export function imageOf(company: Id, { name, bytes, digest }: Upload, now: Date): ImageRecord {
  const header = readImageHeader(bytes);
  if (header === null) {
    const known = IMAGE_TYPES.map((type) => type.slice('image/'.length)).join(', ');
    throw fieldFault('file', `file must be an image of one of the formats ${known}`, 'image.unsupported');
  }
  if (name !== null && (name.length > MAX_NAME || /\0|\p{Surrogate}/u.test(name))) {
    throw fieldFault('file', `the name of the file must be text of at most ${String(MAX_NAME)} characters`);
  }
  const _id = unguessableId();
  const url = `/images/${_id.toHexString()}/content`;
  return makeRecord(ImageRecord, { _id, company, url, name, ...header, size: bytes.length, digest }, now);
}

/**
 * The content is shown to whoever knows the id. Usual ids count up within a process and could be told from one
 * another; this one is 96 random bits.
 */
function unguessableId(): Id {
  const id = parseId(randomBytes(12).toString('hex'));
  if (id === null) throw new Error('12 bytes did not make an id');
  return id;
}
