import type { Filter } from './page.js';

/**
 * How the lists of a record are sorted and narrowed. Both the query classes and the indexes are made of it, so that
 * each sort that a caller may ask for is served by an index.
 */
export interface ListRules {
  /** The fields that lists may be sorted by. */
  readonly sorts: readonly string[];
  /** Fields that every list of the record names. */
  readonly within?: readonly string[];
  /** Fields that narrow a list to a few of many records, and the sorts that have an index behind each. */
  readonly by?: Readonly<Record<string, readonly string[]>>;
}

/** An index that serves a list: the company, fields that must be equal, the sort field, and the id, which breaks ties. */
export interface ListIndex {
  readonly equal: readonly string[];
  readonly sort: string;
}

export function listIndexes({ sorts, within = [], by = {} }: ListRules): ListIndex[] {
  const narrowed = Object.entries(by).flatMap(([field, sorted]) =>
    sorted.map((sort) => ({ equal: [...within, field], sort })),
  );
  return [...sorts.map((sort) => ({ equal: within, sort })), ...narrowed];
}

/** The fields of a filter that the best index for a sort begins with, behind the company. */
export function equalFieldsOf(rules: ListRules | undefined, sort: string, filter: Filter): readonly string[] {
  const isServed = (index: ListIndex): boolean =>
    index.sort === sort && index.equal.every((field) => isValue(filter[field]));
  const served = rules === undefined ? [] : listIndexes(rules).filter(isServed);
  return served.reduce<readonly string[]>(
    (best, { equal }) => (equal.length > best.length ? equal : best),
    [],
  );
}

/** Whether a filter asks for one value, not for a range or a choice. */
function isValue(asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return asked !== undefined;
  return Object.getPrototypeOf(asked) !== Object.prototype && !Array.isArray(asked);
}
