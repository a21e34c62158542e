import { listIndexes, type ListIndex, type ListRules } from '@commerce/records';
import type { Filter } from '@commerce/records';

/** The fields of a filter that lead, behind the company, the longest index for a sort. */
export function leadingFields(rules: ListRules | undefined, sort: string, filter: Filter): readonly string[] {
  const isServed = (index: ListIndex): boolean =>
    index.sort === sort && index.equal.every((field) => isValue(filter[field]));
  const served = rules === undefined ? [] : listIndexes(rules).filter(isServed);
  return served.reduce<readonly string[]>(
    (best, { equal }) => (equal.length > best.length ? equal : best),
    [],
  );
}

/** Whether a condition is one value: neither a range nor a choice. */
function isValue(asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null) return asked !== undefined;
  return Object.getPrototypeOf(asked) !== Object.prototype && !Array.isArray(asked);
}
