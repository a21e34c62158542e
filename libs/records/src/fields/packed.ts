import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { mongo } from 'mongoose';

const { BSON, Binary } = mongo;

/** Smaller values are stored as they are, readable in the database. */
const LEAST_BYTES = 4096;

/**
 * A value as stored: compressed where it is large. Names and prices that a record repeats for each of its lines would
 * otherwise take many times what the request sent.
 */
export function pack(value: unknown): unknown {
  if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) return value;
  if (BSON.calculateObjectSize({ value }) <= LEAST_BYTES) return value;
  return new Binary(deflateRawSync(BSON.serialize({ value })));
}

/** The value that `pack` stored. */
export function unpack(stored: unknown): unknown {
  if (!(stored instanceof Binary)) return stored;
  return (BSON.deserialize(inflateRawSync(stored.buffer)) as { readonly value: unknown }).value;
}
