/** A path of fields (`items.0.product`), or a name of the interface (`ending_date`). */
const NAME = /(?<![\w./-])(?:[a-z]+(?:_[a-z]+)*(?:\.\d+\.[a-z_]+)+|[a-z]+(?:_[a-z]+)+)(?![\w/-]|\.\w)/g;

/**
 * A message of the service without the names of its fields: `ending_date must be in the future` as `Ending date must be
 * in the future`. `labels` are the words of the page for some of them.
 */
export function plainText(message: string, labels: Readonly<Record<string, string>> = {}): string {
  const wordsOf = (path: string): string => {
    const name = path.split('.').at(-1) ?? path;
    return labels[name]?.toLowerCase() ?? name.replaceAll('_', ' ');
  };
  const [first = '', ...rest] = message.replaceAll('`', '').split(' ');
  // The first word of a message about a field is its name, also a name of one word.
  const begun = [labels[first] ?? first, ...rest].join(' ');
  const text = begun.replaceAll(NAME, wordsOf);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
