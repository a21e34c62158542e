import { isDeepStrictEqual } from 'node:util';

export type PlainObject = Record<string, unknown>;

/** What differs between two states of one object, by top-level field. A field that was not there was null. */
export interface Diff {
  readonly previous: PlainObject;
  readonly current: PlainObject;
}

/**
 * The fields in which `after` differs from `before`, with the values of both. Fields in `ignore` never count.
 * `{...before, ...diff.current}` equals `after` apart from the ignored fields.
 */
export function diff(before: PlainObject, after: PlainObject, ignore: ReadonlySet<string> = new Set()): Diff {
  const previous: PlainObject = {};
  const current: PlainObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (ignore.has(key)) continue;
    const old = before[key] ?? null;
    const now = after[key] ?? null;
    if (isDeepStrictEqual(old, now)) continue;
    previous[key] = old;
    current[key] = now;
  }
  return { previous, current };
}
