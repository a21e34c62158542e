import Builder from 'fast-xml-builder';

/**
 * An element: a text, or its children by name in their order, where a list repeats the name. Attributes begin with `@`,
 * and `#` is the text beside them. Null and undefined are left out.
 */
export type XmlElement = string | null | undefined | XmlChildren;
export interface XmlChildren {
  readonly [name: string]: XmlElement | readonly XmlElement[];
}

/** An element that a schema requires even where it has no content. */
export const EMPTY: XmlChildren = {};

const builder = new Builder({
  attributeNamePrefix: '@',
  textNodeName: '#',
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
  format: true,
});

/** The text of a document with this root. The same elements are the same bytes. */
export function xmlText(root: XmlChildren): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(withoutAbsent(root))}`;
}

/** Removes absent elements, which the standards forbid to be empty, and those that have only such children. */
function withoutAbsent(children: XmlChildren): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(children)) {
    const elements = (isList(value) ? value : [value]).map(keptOf).filter((one) => one !== null);
    if (elements.length > 0) kept[name] = elements.length === 1 ? elements[0] : elements;
  }
  return kept;
}

function keptOf(element: XmlElement): string | Record<string, unknown> | null {
  if (element === EMPTY) return '';
  if (element === null || element === undefined) return null;
  if (typeof element === 'string') return legalText(element) || null;
  const kept = withoutAbsent(element);
  const isEmpty = '#' in element ? kept['#'] === undefined : Object.keys(kept).length === 0;
  return isEmpty ? null : kept;
}

// XML 1.0 has no way to write most control characters, and none at all to write half of a surrogate pair.
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

function legalText(text: string): string {
  return text.replaceAll(ILLEGAL, '').trim();
}

function isList(value: XmlChildren[string]): value is readonly XmlElement[] {
  return Array.isArray(value);
}
