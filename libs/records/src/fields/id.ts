import { randomBytes } from 'node:crypto';

import { Types } from 'mongoose';

/** A record's id. Always mongoose's ObjectId: `bson`'s own class is a different one in ESM. */
export type Id = Types.ObjectId;

const HEX = /^[0-9a-f]{24}$/i;

/** The largest number of 64 bits. */
const LAST = 2n ** 64n - 1n;

/** The second and the random part of the id before. */
let previous = { second: 0, random: LAST };

/**
 * The id of a new record: its second, and 64 random bits. Within a second those of a process ascend, for the order of what
 * it creates, each by a random step of 1 to 2^48: whoever knows an id finds no other by counting up, as one in 2^47
 * numbers is an id (ADR 30).
 */
export function newId(): Id {
  const bytes = Buffer.from(new Types.ObjectId().id);
  const second = bytes.readUInt32BE(0);
  const drawn = randomBytes(8).readBigUInt64BE();
  const next = previous.random + 1n + (drawn >> 16n);
  // The first of a second leaves room for those after it.
  const random = second === previous.second && next <= LAST ? next : drawn >> 1n;
  previous = { second, random };
  bytes.writeBigUInt64BE(random, 4);
  return new Types.ObjectId(bytes);
}

/**
 * An id of 96 random bits. Those of images, whose content needs no credential; and those of companies, so that a sharded
 * MongoDB, which distributes ranges of them, places new companies on all shards.
 */
export function randomId(): Id {
  return new Types.ObjectId(randomBytes(12));
}

/** The lowest id created at this time. */
export function idAt(time: Date): Id {
  return Types.ObjectId.createFromTime(Math.floor(time.getTime() / 1000));
}

/** True for 24 hexadecimal digits, the only text form of ids. */
export function isIdText(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value);
}

/** Parses an id; null for any other text, which callers treat as an unknown id. */
export function parseId(text: string): Id | null {
  return HEX.test(text) ? new Types.ObjectId(text) : null;
}

/** Recognizes ids of any copy of the class. */
export function isId(value: unknown): value is Id {
  return (
    typeof value === 'object' && value !== null && (value as { _bsontype?: unknown })._bsontype === 'ObjectId'
  );
}

/** These ids without repetitions, in the order of their first occurrence. */
export function distinctIds(ids: readonly Id[]): Id[] {
  return [...new Map(ids.map((id) => [id.toHexString(), id])).values()];
}

export function sameId(a: Id | null | undefined, b: Id | null | undefined): boolean {
  return a === b || (a != null && b != null && a.equals(b));
}
