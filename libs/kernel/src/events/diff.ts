import { isSame } from '../objects/is-same.js';

export type PlainObject = Record<string, unknown>;

/** The difference between two states of an object, by top-level field. A missing field counts as null. */
export interface Diff {
  readonly previous: PlainObject;
  readonly current: PlainObject;
}

/**
 * The fields outside `ignore` in which `after` differs from `before`, with both values. `{...before, ...diff.current}`
 * equals `after` apart from the ignored fields.
 */
export function diff(before: PlainObject, after: PlainObject, ignore: ReadonlySet<string> = new Set()): Diff {
  const previous: PlainObject = {};
  const current: PlainObject = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (ignore.has(key)) continue;
    const old = before[key] ?? null;
    const now = after[key] ?? null;
    if (isSame(old, now)) continue;
    previous[key] = old;
    current[key] = now;
  }
  return { previous, current };
}
