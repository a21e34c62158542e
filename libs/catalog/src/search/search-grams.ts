/** Grams are hashed to this many bits, so that no record has more than 4,096 entries in the index. */
const BITS = 12;

/** The longest grams; each text has those of one, two and three characters. */
const LENGTH = 3;

/** The most grams that a search asks the index for; what it finds is compared in full anyway. */
const MAX_ASKED = 12;

/** Separates the texts of a record, so that no match spans two of them; bodies cannot contain NUL. */
const SEPARATOR = '\0';

/** What searches look in: the texts of a record in lower case, and the hashes of their grams for the index. */
export interface Searchable {
  readonly text: string;
  readonly grams: readonly number[];
}

/**
 * A text that contains a query has all of the query's hashes, however short it is; the reverse does not hold, so what
 * the index finds must still be compared.
 */
export function searchable(texts: readonly string[]): Searchable {
  const lowered = texts.map((text) => text.toLowerCase());
  const grams = lowered.flatMap((text) =>
    Array.from({ length: LENGTH }, (_, index) => [...gramsOf(text, index + 1)]).flat(),
  );
  return { text: lowered.join(SEPARATOR), grams: [...new Set(grams)].sort((a, b) => a - b) };
}

/** The hashes to look up in the index for a query in lower case. */
export function askedGrams(query: string): number[] {
  return [...gramsOf(query, Math.min(Math.max(query.length, 1), LENGTH))].slice(0, MAX_ASKED);
}

function gramsOf(text: string, length: number): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + length <= text.length; at += 1) {
    let hash = 0;
    for (let next = at; next < at + length; next += 1) {
      // Multiplicative hashing spreads similar grams.
      hash = (Math.imul(hash, 0x9e3779b1) + text.charCodeAt(next) + 1) | 0;
    }
    grams.add(Math.imul(hash, 0x85ebca6b) >>> (32 - BITS));
  }
  return grams;
}
