/**
 * The sorts and filters of a record's lists. Both the query classes and the indexes derive from it, so that an index
 * serves each sort that a caller may request.
 */
export interface ListRules {
  /** The fields to sort lists by. */
  readonly sorts: readonly string[];
  /** Fields that every list of the record filters by. */
  readonly within?: readonly string[];
  /** Fields that narrow a list to a few of many records, and the sorts that have an index after each. */
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
