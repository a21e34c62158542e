const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether text round-trips: BSON turns half a surrogate pair into U+FFFD, and NUL ends a key or a pattern. */
export function isStorable(text: string): boolean {
  return !UNSTORABLE.test(text);
}
