/** Trigrams are folded into numbers of so many bits: no product has more than 4,096 entries in the index. */
const BITS = 12;

/** Three characters are the shortest text that the index knows. */
export const GRAM_LENGTH = 3;

/** A search asks the index for no more than this many trigrams; what it finds is compared in full anyway. */
const MAX_ASKED = 12;

/** Between the texts of one product, so that no match runs from one into the next; bodies cannot hold NUL. */
const BETWEEN = '\0';

/**
 * What searches of a product look into, and the index of it: every run of three characters, folded into a number.
 * A text that contains a query of three characters or more has all of the query's numbers; the reverse is not
 * certain, so that what the index finds must still be compared.
 */
export function searchable(texts: readonly string[]): { search_text: string; search_grams: number[] } {
  const lowered = texts.map((text) => text.toLowerCase());
  return {
    search_text: lowered.join(BETWEEN),
    search_grams: [...new Set(lowered.flatMap((text) => [...gramsOf(text)]))].sort((a, b) => a - b),
  };
}

/** The numbers to ask the index for; none for a query that is too short for it. `query` in lower case. */
export function askedGrams(query: string): number[] {
  return [...gramsOf(query)].slice(0, MAX_ASKED);
}

function gramsOf(text: string): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + GRAM_LENGTH <= text.length; at += 1) {
    let folded = 0;
    for (let next = at; next < at + GRAM_LENGTH; next += 1) {
      // A multiplicative hash: neighbouring letters end up far apart.
      folded = (Math.imul(folded, 0x9e3779b1) + text.charCodeAt(next) + 1) | 0;
    }
    grams.add(Math.imul(folded, 0x85ebca6b) >>> (32 - BITS));
  }
  return grams;
}
