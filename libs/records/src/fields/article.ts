/** A noun of the interface with its article: an order, a user. */
export function withArticle(noun: string): string {
  return `${/^[aeio]/.test(noun) ? 'an' : 'a'} ${noun.replaceAll('_', ' ')}`;
}
