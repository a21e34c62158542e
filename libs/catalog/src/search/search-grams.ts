/** The most entries that a record has in the index. A text with more grams is indexed by coarse ones. */
const MAX_GRAMS = 8192;

/** The longest gram: within it a text of any length is taken apart in linear time. */
const MAX_LENGTH = 24;

/** A coarse gram is one of so many. */
const COARSE = 4096;

/** The longest coarse gram. */
const COARSE_LENGTH = 3;

/** Beside the coarse grams of every text that has those; no gram has this hash. */
export const IS_COARSE = -1 - COARSE;

/** Separates the texts of a record, so that no match spans two of them; bodies cannot contain NUL. */
const SEPARATOR = '\0';

/** What searches look in: the texts of a record in lower case, and the hashes of their grams for the index. */
export interface Searchable {
  readonly text: string;
  readonly grams: readonly number[];
}

/**
 * What the index is asked for. A text that contains the query has `fine` among its grams or, where it is very long,
 * `coarse`; the reverse does not hold, so what the index finds must still be compared.
 */
export interface AskedGrams {
  readonly fine: number;
  readonly coarse: number;
}

export function searchable(texts: readonly string[]): Searchable {
  const lowered = texts.map((text) => text.toLowerCase());
  const fine = new Set(lowered.flatMap((text) => [...fineGrams(text)].map(fineHash)));
  const grams = fine.size <= MAX_GRAMS ? fine : new Set([IS_COARSE, ...coarseHashes(lowered)]);
  return { text: lowered.join(SEPARATOR), grams: [...grams].sort((a, b) => a - b) };
}

function* coarseHashes(texts: readonly string[]): Generator<number> {
  for (const text of texts) for (const gram of coarseGrams(text)) yield coarseHash(gram);
}

/** The hashes to look up in the index for a query in lower case. The longest gram is shared by the fewest texts. */
export function askedGrams(query: string): AskedGrams {
  let longest = '';
  const grams = query.length < COARSE_LENGTH ? [query] : sparseGrams(query);
  for (const gram of grams) if (gram.length > longest.length) longest = gram;
  return { fine: fineHash(longest), coarse: coarseHash(query.slice(0, COARSE_LENGTH)) };
}

/** Every gram by which some query asks for a part of the text. */
function* fineGrams(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    yield text.slice(at, at + 1);
    if (at + 2 <= text.length) yield text.slice(at, at + 2);
  }
  yield* sparseGrams(text);
}

/**
 * The sparse grams of a text: those parts of it whose first and last two characters have a greater weight than any
 * other two neighbours within. Whether a part is one depends on nothing around it, so a text has all sparse grams of
 * whatever it contains; all parts of three characters are sparse grams, and most queries have longer ones, which few
 * other texts share. There are at most two for each character.
 */
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

function* coarseGrams(text: string): Generator<string> {
  for (let length = 1; length <= COARSE_LENGTH; length += 1)
    for (let at = 0; at + length <= text.length; at += 1) yield text.slice(at, at + length);
}

function pairWeight(text: string, at: number): number {
  return scattered(text.charCodeAt(at) * 0x10001 + text.charCodeAt(at + 1)) >>> 0;
}

/** Never negative. */
function fineHash(gram: string): number {
  return hash(gram) >>> 1;
}

/** Always negative, so that no fine gram is taken for a coarse one. */
function coarseHash(gram: string): number {
  return -1 - ((hash(gram) >>> 1) % COARSE);
}

/** FNV-1a over UTF-16 code units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return scattered(value);
}

/** The last step of MurmurHash3: each bit of the value changes half of the bits of the result. */
function scattered(value: number): number {
  let bits = value | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
