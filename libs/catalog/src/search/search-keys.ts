import { NO_TEXT, hash, scattered, withUnit } from './text-hash.js';

/** The most suffix keys of a record in the index. A text with more of them is indexed by buckets. */
const MAX_SUFFIXES = 4096;

/** The bits of a key for its scope. */
const SCOPE_BITS = 19;

/**
 * The parts of a suffix in its key, each with its number of bits. With the scope they are 53, as many as a double holds
 * exactly.
 */
const LEVELS = [
  { length: 1, bits: 5 },
  { length: 2, bits: 5 },
  { length: 3, bits: 6 },
  { length: 4, bits: 4 },
  { length: 5, bits: 3 },
  { length: 6, bits: 3 },
  { length: 8, bits: 4 },
  { length: 12, bits: 4 },
] as const;

/** The levels again, with the number of values that their bits have: powers cost more than the rest of a key. */
const STEPS = LEVELS.map(({ length, bits }) => ({ length, values: 2 ** bits }));

const SUFFIX_BITS = bitsOf(LEVELS);

/** The longest part of a query that a key represents. */
const LONGEST = 12;

/** The key range of each value of a suffix's first character. */
const FIRST_CHARACTER = 2 ** (SUFFIX_BITS - LEVELS[0].bits);

/** The number of buckets. */
const BUCKETS = 4096;

/** Separates the buckets from each other in the bits for the first character, too. */
const BUCKET_STEP = 2 ** (SUFFIX_BITS - 13);

/** The longest part of a text that has a bucket. */
const BUCKET_LENGTH = 3;

/** Separates the texts of a record, so that no match spans two of them; bodies cannot contain NUL. */
const SEPARATOR = '\0';

/** The texts of a record in lower case, and the keys by which the index finds them. */
export interface Searchable {
  readonly text: string;
  readonly keys: readonly number[];
  /** Whether the text is so long that its keys are buckets. */
  readonly isLong: boolean;
}

/**
 * The keys that a search looks up in the index. Each text that contains the query has a key from `first` to `last` or,
 * where it is very long, `bucket`; the reverse does not hold, so each text found is compared.
 */
export interface AskedKeys {
  readonly first: number;
  readonly last: number;
  readonly bucket: number;
}

/**
 * Makes the texts of a record searchable: at most one key for each character, and never more than 4,097.
 * @param scope the searches that will find them, such as those in the products of one company
 */
export function searchable(scope: string, texts: readonly string[]): Searchable {
  const lowered = texts.map((text) => text.toLowerCase());
  const text = lowered.join(SEPARATOR);
  const suffixes = new Set(lowered.flatMap((one) => suffixKeys(scope, one)));
  if (suffixes.size <= MAX_SUFFIXES) return { text, keys: [...suffixes], isLong: false };
  const buckets = new Set(lowered.flatMap((one) => [...bucketsOf(one)]));
  const base = bucketBase(scope);
  const keys = [...buckets].map((bucket) => base + bucket * BUCKET_STEP);
  return { text, keys: [longKey(scope), ...keys], isLong: true };
}

/** The keys to look up for a query in lower case. */
export function askedKeys(scope: string, query: string): AskedKeys {
  const part = tellingPart(query);
  const key = suffixKey(suffixScope(scope), part, 0);
  const open = 2 ** bitsOf(LEVELS.filter(({ length }) => length > part.length));
  const first = key - (key % open);
  return { first, last: first + open - 1, bucket: bucketBase(scope) + askedBucket(query) * BUCKET_STEP };
}

/** The bucket of a query in lower case. */
export function askedBucket(query: string): number {
  return bucketOf(query.slice(0, BUCKET_LENGTH));
}

/** The key shared by all very long texts of a scope. */
export function longKey(scope: string): number {
  return bucketBase(scope) + BUCKETS * BUCKET_STEP;
}

/** The fields of a row that hold keys, each with an index of its own. */
export const KEY_FIELDS = ['keys0', 'keys1', 'keys2', 'keys3'] as const;

export type KeyField = (typeof KEY_FIELDS)[number];

/**
 * The field that holds a key, by the first character of its suffix. The embedded server tests all keys in a field of
 * each row that it finds, and four fields reduce that time to a quarter.
 */
export function fieldOf(key: number): KeyField {
  return KEY_FIELDS[Math.floor(key / FIRST_CHARACTER) % KEY_FIELDS.length] ?? KEY_FIELDS[0];
}

/** The keys of a text by the fields that hold them; empty fields are omitted. */
export function inFields(keys: readonly number[]): Partial<Record<KeyField, number[]>> {
  const fields: Partial<Record<KeyField, number[]>> = {};
  for (const key of keys) (fields[fieldOf(key)] ??= []).push(key);
  return fields;
}

function suffixKeys(scope: string, text: string): number[] {
  const base = suffixScope(scope);
  return Array.from({ length: text.length }, (_, from) => suffixKey(base, text, from));
}

/**
 * The key of the suffix of a text from a position: the bits of the scope, then for each level those of a hash of the
 * suffix's first characters. So the keys of all suffixes with the same beginning are one range.
 */
function suffixKey(scope: number, text: string, from: number): number {
  let key = scope;
  let value = NO_TEXT;
  let at = from;
  for (const { length, values } of STEPS) {
    for (; at < from + length && at < text.length; at += 1) value = withUnit(value, text.charCodeAt(at));
    key = key * values + (scattered(value) & (values - 1));
  }
  return key;
}

/**
 * The most selective part of a query: the one with the most digits, which distinguish records better than letters do,
 * and the last of several.
 */
function tellingPart(query: string): string {
  let best = { part: query.slice(0, LONGEST), digits: -1 };
  for (let at = 0; at + LONGEST <= query.length; at += 1) {
    const part = query.slice(at, at + LONGEST);
    const digits = part.replace(/[^0-9]/g, '').length;
    if (digits >= best.digits) best = { part, digits };
  }
  return best.part;
}

function* bucketsOf(text: string): Generator<number> {
  for (let length = 1; length <= BUCKET_LENGTH; length += 1)
    for (let at = 0; at + length <= text.length; at += 1) yield bucketOf(text.slice(at, at + length));
}

function bucketOf(part: string): number {
  return (hash(part) >>> 1) % BUCKETS;
}

function suffixScope(scope: string): number {
  return hash(scope) >>> (32 - SCOPE_BITS);
}

/** Buckets have a scope of their own, so that they lie in the range of no suffix. */
function bucketBase(scope: string): number {
  return suffixScope(`${scope}/long`) * 2 ** SUFFIX_BITS;
}

function bitsOf(levels: readonly { readonly bits: number }[]): number {
  return levels.reduce((sum, { bits }) => sum + bits, 0);
}
