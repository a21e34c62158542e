/**
 * The commands that unknown words may mean, as a sentence like Commander's own for misspelt names; empty if there are
 * none. `key create` and `create:key` mean `key:create`; a room or an action alone means all commands that have it.
 */
export function suggestionFor(words: readonly string[], names: readonly string[]): string {
  const typed = words.flatMap((word) => word.toLowerCase().split(/[:\-_ ]/)).filter((word) => word !== '');
  const having = (wanted: readonly string[]): string[] =>
    names.filter((name) => wanted.every((word) => name.split(':').some((part) => isForm(word, part))));
  const [first = '', second] = typed;
  const exact = second === undefined ? [] : having([first, second]);
  const meant = exact.length > 0 ? exact : having([first]);
  if (meant.length === 0) return '';
  return `(Did you mean ${meant.length === 1 ? '' : 'one of '}${meant.join(', ')}?)\n`;
}

/** Whether a word is a part of a command's name, or its plural. */
function isForm(word: string, part: string): boolean {
  return word === part || word === `${part}s`;
}
