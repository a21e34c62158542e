import type { Fault } from './exceptions.js';

type Document = Readonly<Record<string, unknown>>;

/** An index as the database describes it. */
export interface Index {
  readonly key: Readonly<Record<string, number | string>>;
  readonly partialFilterExpression?: Document;
}

/** A command as the planner sees it. */
export interface Planned {
  readonly filter: Document;
  /** Null where the order is free. */
  readonly sort: Readonly<Record<string, number>> | null;
}

/**
 * `point`: one value. `points`: several, by `$in`. `range`: `$gt` and its kin. `other`: conditions that bound no index
 * usefully, such as `$ne` and patterns.
 */
type Kind = 'point' | 'points' | 'range' | 'other';

interface Condition {
  readonly kind: Kind;
  readonly asked: unknown;
}

type Conditions = ReadonlyMap<string, readonly Condition[]>;

/** The planner merges at most this many scans into one order (`internalQueryMaxScansToExplode`). */
const MAX_SCANS = 200;

/**
 * Judges a command by the rules of MongoDB's planner: an index bounds a scan by equal fields and then one range; it
 * gives an order if the sort follows the equal fields (equality, sort, range); a partial index counts only if the filter
 * implies its condition; and a mongos finds the shards only if the fields of the shard key equal named values or lie
 * between two.
 * @param shardKey the fields of the shard key; none for a collection that stays on one shard
 */
export function faultsByRules(
  { filter, sort }: Planned,
  indexes: readonly Index[],
  shardKey: readonly string[],
): Fault[] {
  const alternatives = alternativesOf(filter).map((conditions) => ({
    conditions,
    usable: indexes.filter((index) => isUsable(conditions, sort, index)),
  }));
  const isTargeted = alternatives.every(({ conditions }) =>
    shardKey.every((field) => isTargeting(conditions.get(field) ?? [])),
  );
  const isServed = alternatives.every(({ usable }) => usable.length > 0);
  const isSorted = alternatives.every(
    ({ conditions, usable }) =>
      sort === null || namesOne(conditions) || usable.some((index) => givesOrder(conditions, sort, index)),
  );
  return [
    ...(isTargeted ? [] : (['NO_SHARD_KEY'] as const)),
    ...(isServed ? [] : (['COLLSCAN'] as const)),
    ...(isSorted ? [] : (['SORT'] as const)),
  ];
}

/** The conjunctions that a filter consists of: several where it has an `$or`. */
function alternativesOf(filter: Document): Conditions[] {
  const found = new Map<string, Condition[]>();
  let choices: readonly Document[] | null = null;
  for (const [name, asked] of entriesOf(filter)) {
    if (name === '$or') choices = asked as readonly Document[];
    else if (!name.startsWith('$')) found.set(name, [...(found.get(name) ?? []), ...conditionsOf(asked)]);
  }
  if (choices === null) return [found];
  return choices.flatMap(alternativesOf).map((choice) => {
    const both = new Map(found);
    for (const [name, conditions] of choice) both.set(name, [...(both.get(name) ?? []), ...conditions]);
    return both;
  });
}

/** The entries of a filter; those of nested conjunctions among them. */
function entriesOf(filter: Document): [string, unknown][] {
  return Object.entries(filter).flatMap(([name, asked]) =>
    name === '$and'
      ? (asked as readonly Document[]).flatMap(entriesOf)
      : [[name, asked] as [string, unknown]],
  );
}

function conditionsOf(asked: unknown): Condition[] {
  if (!isPlain(asked)) return [{ kind: 'point', asked }];
  const operators = Object.keys(asked);
  if (operators.length === 0 || !operators.every((one) => one.startsWith('$')))
    return [{ kind: 'point', asked }];
  return operators.map((operator): Condition => {
    const value = asked[operator];
    if (operator === '$eq' || operator === '$all') return { kind: 'point', asked: value };
    if (operator === '$in')
      return { kind: (value as unknown[]).length === 1 ? 'point' : 'points', asked: value };
    // An array that has one element within these bounds.
    if (operator === '$elemMatch') return { kind: 'range', asked: value };
    if (/^\$[gl]te?$/.test(operator)) return { kind: 'range', asked: { [operator]: value } };
    return { kind: 'other', asked: { [operator]: value } };
  });
}

function isPlain(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

const isPoint = ({ kind }: Condition): boolean => kind === 'point';
const isEqual = ({ kind }: Condition): boolean => kind === 'point' || kind === 'points';

/** The shard keys are ranged: a mongos asks the shards of a range that has both ends. */
function isTargeting(conditions: readonly Condition[]): boolean {
  const bounds = conditions
    .filter(({ kind }) => kind === 'range')
    .flatMap(({ asked }) => Object.keys(asked as Document));
  const hasBoth = bounds.some((one) => one.startsWith('$gt')) && bounds.some((one) => one.startsWith('$lt'));
  return hasBoth || conditions.some(isEqual);
}

function namesOne(conditions: Conditions): boolean {
  return conditions.get('_id')?.some(isPoint) === true;
}

/** Whether a scan of the index finds all that the filter does, bounded by the filter or, without one, in the order. */
function isUsable(conditions: Conditions, sort: Planned['sort'], index: Index): boolean {
  if (!implies(conditions, index.partialFilterExpression ?? {})) return false;
  if (conditions.size === 0) return sort !== null && givesOrder(conditions, sort, index);
  const [first = ''] = Object.keys(index.key);
  return conditions.get(first)?.some(({ kind }) => kind !== 'other') === true;
}

/** Whether a scan of the index that the filter bounds comes in the order of the sort. */
function givesOrder(conditions: Conditions, sort: Readonly<Record<string, number>>, { key }: Index): boolean {
  const wanted = Object.entries(sort).filter(([name]) => conditions.get(name)?.some(isPoint) !== true);
  let scans = 1;
  let turned: boolean | null = null;
  let at = 0;
  for (const [name, direction] of Object.entries(key)) {
    const next = wanted[at];
    if (next === undefined) return true;
    const equal = conditions.get(name)?.find(isEqual);
    if (name === next[0]) {
      const isTurned = direction !== next[1];
      if (turned !== null && isTurned !== turned) return false;
      turned = isTurned;
      at += 1;
    } else if (equal === undefined) return false;
    else if (equal.kind === 'points') scans *= (equal.asked as unknown[]).length;
  }
  return at === wanted.length && scans <= MAX_SCANS;
}

/** Whether each document that meets the conditions meets the condition of a partial index, too. */
function implies(conditions: Conditions, partial: Document): boolean {
  return entriesOf(partial).every(([name, needed]) =>
    conditionsOf(needed).every(({ kind, asked }) => {
      const own = conditions.get(name) ?? [];
      if (kind === 'point') return own.some((one) => one.kind === 'point' && isSame(one.asked, asked));
      return kind === 'range' && own.some((one) => isWithin(one, asked as Document));
    }),
  );
}

/** Whether a condition lies within a lower bound, the only one that indexes here have. */
function isWithin({ kind, asked }: Condition, bound: Document): boolean {
  const least = valueOf(bound['$gt']);
  const values = kind === 'point' || kind === 'points' ? listOf(asked) : [];
  if (values.length > 0) return values.every((value) => value !== null && valueOf(value) > least);
  if (kind !== 'range') return false;
  const { $gt: above, $gte: from } = asked as Document;
  return (above !== undefined && valueOf(above) >= least) || (from !== undefined && valueOf(from) > least);
}

function listOf(asked: unknown): readonly unknown[] {
  return Array.isArray(asked) ? asked : [asked];
}

function isSame(one: unknown, other: unknown): boolean {
  return valueOf(listOf(one)[0]) === valueOf(other);
}

/** A value as it compares with others of its type. */
function valueOf(value: unknown): number | string {
  if (value instanceof Date) return value.getTime();
  return typeof value === 'number' ? value : String(value);
}
