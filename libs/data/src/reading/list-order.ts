import {
  fieldsOf,
  type FieldInfo,
  type FieldKind,
  optionsOf,
  type OwnedRecord,
  type RecordType,
} from '@commerce/records';
import type { Filter, Sort } from '@commerce/records';

/** Comparisons with the sort field of a list: `{$gt: …}`. */
export type Bounds = Readonly<Record<string, unknown>>;

const EARLIEST = new Date(-8.64e15);

/** A stretch of a sorted list. */
export interface Stretch {
  /** Comparisons with the sort field; null if `where` fixes its value. */
  readonly bounds: Bounds | null;
  /** Conditions on the sort field and the id. */
  readonly where?: Filter;
}

/**
 * The field that a list is sorted by.
 * @throws Error if no index of the record serves that order
 */
export function sortFieldOf(type: RecordType, { field }: Sort): FieldInfo {
  const found = fieldsOf(type).find(({ name }) => name === field);
  if (found === undefined || optionsOf(type).list?.sorts.includes(field) !== true) {
    throw new Error(`lists of ${type.name} cannot be sorted by ${field}`);
  }
  return found;
}

/**
 * The stretches that follow a record, in the order of the list: its ties, the values beyond, and the nulls that end a
 * descending list. Each has equal fields before its one range, so that an index serves it to the first match.
 */
export function stretchesAfter(sort: Sort, field: FieldInfo, last: OwnedRecord): Stretch[] {
  // Ids have no ties.
  if (sort.field === '_id') return [{ bounds: past(sort, last._id) }];
  const value = (last as unknown as Record<string, unknown>)[sort.field] ?? null;
  const ties: Stretch = { bounds: null, where: { [sort.field]: value, _id: past(sort, last._id) } };
  const rising = sort.direction === 1;
  if (value === null) return rising ? [ties, { bounds: anyValue(field.kind) }] : [ties];
  const beyond: Stretch = { bounds: past(sort, value) };
  const nulls: Stretch = { bounds: null, where: { [sort.field]: null } };
  return isNullable(field) && !rising ? [ties, beyond, nulls] : [ties, beyond];
}

/** Whether the field may be null; null sorts before all values. */
export function isNullable({ document }: FieldInfo): boolean {
  return document['nullable'] === true;
}

/** Bounds that exclude null only, which every comparison of MongoDB excludes. */
function anyValue(kind: FieldKind): Bounds {
  if (kind === 'text') return { $gte: '' };
  return kind === 'number' ? { $gte: -Infinity } : { $gte: EARLIEST };
}

/** The values that follow this one in the list. */
export function past({ direction }: Sort, value: unknown): Bounds {
  return direction === 1 ? { $gt: value } : { $lt: value };
}

/** Both bounds at once. */
export function within(one: Bounds, other: Bounds): Bounds {
  const both: Record<string, unknown> = { ...one };
  for (const [operator, value] of Object.entries(other)) {
    const known = both[operator];
    both[operator] = known === undefined ? value : tighter(operator, known, value);
  }
  return both;
}

function tighter(operator: string, one: unknown, other: unknown): unknown {
  const isLess = (one as number) < (other as number);
  return operator.startsWith('$g') === isLess ? other : one;
}

/** Whether a condition is a range, and nothing else. */
export function isRange(condition: unknown): condition is Bounds {
  return (
    typeof condition === 'object' &&
    condition !== null &&
    Object.keys(condition).some((key) => /^\$[gl]te?$/.test(key))
  );
}
