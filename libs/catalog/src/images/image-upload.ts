import { createHash, hash } from 'node:crypto';
import { Transform } from 'node:stream';

import { fieldFault } from '@commerce/kernel';
import { isStorable, makeRecord, type Id } from '@commerce/records';

import type { ImageProperties } from './image-codec.js';
import { ImageRecord } from './image.record.js';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_NAME = 256;

/** Uploaded content, stored but not kept yet. */
export interface StoredContent {
  readonly content: Id;
  /** In bytes. */
  readonly size: number;
  /** The SHA-256 of its bytes, in hexadecimal digits. */
  readonly digest: string;
}

/** An uploaded file. */
export interface Upload extends StoredContent {
  readonly name: string | null;
}

/** SHA-256, in hexadecimal digits. */
export function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes);
}

/** Passes bytes through and measures them. */
export class Measure extends Transform {
  size = 0;
  private readonly hash = createHash('sha256');

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: Error | null, chunk: Buffer) => void,
  ): void {
    this.size += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  digest(): string {
    return this.hash.digest('hex');
  }
}

/** @throws Fault `value.invalid` for a file whose name cannot be stored */
export function checkName({ name }: Pick<Upload, 'name'>): void {
  if (name !== null && (name.length > MAX_NAME || !isStorable(name))) {
    throw fieldFault('file', `the name of the file must be text of at most ${String(MAX_NAME)} characters`);
  }
}

/** The record of an uploaded image. */
export function imageOf(
  { company, user }: Pick<ImageRecord, 'company' | 'user'>,
  { name, content: _id, size, digest }: Upload,
  properties: ImageProperties,
  now: Date,
): ImageRecord {
  const url = `/images/${_id.toHexString()}/content`;
  return makeRecord(ImageRecord, { _id, company, user, url, name, ...properties, size, digest }, now);
}
