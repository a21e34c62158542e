/** The most words of a record that are indexed, and the longest part of each. */
const MOST = 48;
const LONGEST = 64;

/**
 * The words by which a record is found, without case and accents: each word of its texts, and what follows a sign in
 * it, so that `Jean-Luc` is found by `luc` and an e-mail address by its domain.
 */
export function wordsOf(texts: readonly (string | null | undefined)[]): string[] {
  const words = texts.flatMap((text) => askedWords(text ?? '').flatMap(endings));
  return [...new Set(words.map((word) => word.slice(0, LONGEST)))].slice(0, MOST);
}

/** The words of a query, as `wordsOf` writes them; each matches all words that begin with it. */
export function askedWords(query: string): string[] {
  return query
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => word.slice(0, LONGEST));
}

/** The word itself, and its ends that begin after a sign. */
function endings(word: string): string[] {
  const starts = [...word.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index);
  return [word, ...starts.map((start) => word.slice(start))];
}
