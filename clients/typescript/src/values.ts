/** A value of a reply as this client returns it: ids as strings, dates as Date. */
export type Decoded<T> = T extends { $oid: string }
  ? string
  : T extends { $date: number }
    ? Date
    : T extends readonly (infer E)[]
      ? Decoded<E>[]
      : T extends object
        ? { [K in keyof T]: Decoded<T[K]> }
        : T;

/** Fields whose JSON is the caller's own: what looks like an id or a date in them is none. */
const FREE_JSON: ReadonlySet<string> = new Set(['properties', 'attributes', 'business_rules', 'metadata']);

/** Turns the `{$oid}` and `{$date}` of a reply into strings and Dates. */
export function decode(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(decode);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value) as [string, unknown][];
  const [only] = entries;
  if (entries.length === 1 && only !== undefined) {
    const [key, inner] = only;
    if (key === '$oid' && typeof inner === 'string') return inner;
    if (key === '$date' && typeof inner === 'number') return new Date(inner);
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, FREE_JSON.has(key) ? inner : decode(inner)]));
}

/** A body as the caller may write it: a Date wherever the interface takes milliseconds. */
export type Encodable<T> = T extends number
  ? T | Date
  : T extends readonly (infer E)[]
    ? readonly Encodable<E>[]
    : T extends object
      ? { [K in keyof T]: Encodable<T[K]> }
      : T;

/** Turns the Dates of a body into milliseconds. */
export function encode(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(encode);
  // Such as an id of a database: it knows how it is written.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, FREE_JSON.has(key) ? inner : encode(inner)]),
  );
}
