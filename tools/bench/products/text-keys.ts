import type { mongo } from 'mongoose';

/** A key of a text begins with 19 bits that stand for the company and the kind of record; these follow. */
const SUFFIX_KEYS = 2 ** 34;
export const SCOPES = 2 ** 19;
/** Each step of the bits for the first character. */
const FIRST_CHARACTER = 2 ** 29;
/** The suffixes that begin with the same six characters have keys in a range of this width. */
const WIDTH = 2 ** 8;

const FIELDS = ['keys0', 'keys1', 'keys2', 'keys3'];

/** The keys by which the index finds a text. */
export function keysOf(text: mongo.Document): number[] {
  return FIELDS.flatMap((field) => (text[field] ?? []) as number[]);
}

/** The same text with the keys of another company. */
export function inScope(text: mongo.WithId<mongo.Document>, scope: number): mongo.WithId<mongo.Document> {
  const moved = FIELDS.filter((field) => field in text).map((field) => [
    field,
    (text[field] as number[]).map((key) => scope * SUFFIX_KEYS + (key % SUFFIX_KEYS)),
  ]);
  return { ...text, ...(Object.fromEntries(moved) as Record<string, number[]>) };
}

/** Where the ranges begin that hold the keys of a text, each with those of all suffixes that begin alike. */
export function rangesOf(text: mongo.Document): number[] {
  return keysOf(text).map((key) => key - (key % WIDTH));
}

/** Finds the texts with a key in the range that begins there. */
export function inRange(first: number): mongo.Document {
  const field = FIELDS[Math.floor(first / FIRST_CHARACTER) % FIELDS.length] ?? '';
  return { [field]: { $elemMatch: { $gte: first, $lt: first + WIDTH } } };
}
