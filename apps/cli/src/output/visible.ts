/**
 * Characters that a terminal obeys instead of showing: C0, DEL and C1 (escape sequences begin with them), line and
 * paragraph separators, and marks that reorder or hide text.
 */
const OBEYED = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** The text with such characters as escapes, in the form of JSON: a customer's name cannot command the terminal. */
export function visible(text: string): string {
  return text.replace(OBEYED, escaped);
}

/** A text of several lines: as `visible`, but line feeds remain. */
export function visibleLines(text: string): string {
  return text.replace(OBEYED, (character) => (character === '\n' ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
