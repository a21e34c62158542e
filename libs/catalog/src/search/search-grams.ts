/** Trigrams are hashed to this many bits, so that no record has more than 4,096 entries in the index. */
const BITS = 12;

/** The length of a trigram, the shortest text that the index can find. */
export const GRAM_LENGTH = 3;

/** The most trigrams that a search asks the index for; what it finds is compared in full anyway. */
const MAX_ASKED = 12;

/** Separates the texts of a record, so that no match spans two of them; bodies cannot contain NUL. */
const SEPARATOR = '\0';

/**
 * What searches look in: the texts of a record in lower case, and the hashes of their trigrams for the index. A text
 * that contains a query of three characters or more has all of the query's hashes; the reverse does not hold, so
 * what the index finds must still be compared.
 */
export function searchable(texts: readonly string[]): { search_text: string; search_grams: number[] } {
  const lowered = texts.map((text) => text.toLowerCase());
  return {
    search_text: lowered.join(SEPARATOR),
    search_grams: [...new Set(lowered.flatMap((text) => [...gramsOf(text)]))].sort((a, b) => a - b),
  };
}

/** The hashes to look up in the index; none when the query, in lower case, is too short for it. */
export function askedGrams(query: string): number[] {
  return [...gramsOf(query)].slice(0, MAX_ASKED);
}

function gramsOf(text: string): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + GRAM_LENGTH <= text.length; at += 1) {
    let hash = 0;
    for (let next = at; next < at + GRAM_LENGTH; next += 1) {
      // Multiplicative hashing spreads similar trigrams.
      hash = (Math.imul(hash, 0x9e3779b1) + text.charCodeAt(next) + 1) | 0;
    }
    grams.add(Math.imul(hash, 0x85ebca6b) >>> (32 - BITS));
  }
  return grams;
}
