import { askedBucket } from './search-keys.js';
import { hash, scattered } from './text-hash.js';

/** The longest gram. */
const MAX_LENGTH = 24;

/** A query with fewer characters is a gram itself. */
const MIN_LENGTH = 3;

/**
 * The grams under which an earlier version indexed texts with the query: the hash of its longest sparse gram and,
 * always negative, its bucket among very long texts. A sparse gram is a part whose first and last two characters have a
 * greater weight than any other two neighbours within.
 */
export function gramsOf(query: string): readonly [number, number] {
  let longest = '';
  const grams = query.length < MIN_LENGTH ? [query] : sparseGrams(query);
  for (const gram of grams) if (gram.length > longest.length) longest = gram;
  return [hash(longest) >>> 1, -1 - askedBucket(query)];
}

function* sparseGrams(text: string): Generator<string> {
  const weights = Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => pairWeight(text, at));
  /** Pairs that may still begin a gram, each of less weight than the one before. */
  const open: number[] = [];
  for (const [end, weight] of weights.entries()) {
    for (let begin = open.at(-1); begin !== undefined; begin = open.at(-1)) {
      if (end + 2 - begin <= MAX_LENGTH) yield text.slice(begin, end + 2);
      const ahead = weights[begin] ?? 0;
      if (ahead <= weight) open.pop();
      if (ahead >= weight) break;
    }
    open.push(end);
  }
}

function pairWeight(text: string, at: number): number {
  return scattered(text.charCodeAt(at) * 0x10001 + text.charCodeAt(at + 1)) >>> 0;
}
