/** One field of a record or a body, as its decorator declares it. */
export interface FieldInfo {
  readonly name: string;
  readonly kind: FieldKind;
  /** Never shown in replies or events. */
  readonly hidden: boolean;
  /** Sealed in the database. */
  readonly sealed: boolean;
  /** Compressed in the database where it is large. */
  readonly packed: boolean;
  /** Every record has it, though a body may omit it. */
  readonly filled: boolean;
  /** Shown after all others: dates and flags at the end of every record. */
  readonly last: boolean;
  /** The value in a record created without the field; a function is called for each record. */
  readonly default: unknown;
  /** The class of a nested value, or of the elements of a list. */
  readonly type: (() => FieldedClass) | null;
  /** Converts the value of a request to the stored one; never called with null, and never throws. */
  readonly read: ((value: unknown) => unknown) | null;
  /** Whether free JSON must be an object or a list; null when it may be either. */
  readonly shape: 'object' | 'list' | null;
  /** The field's schema in the API document: type, bounds, choices, description, example, whether it is required. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The JSON schema of a written value in replies; null where it is unknown. */
  readonly schema: Readonly<Record<string, unknown>> | null;
}

export type FieldKind =
  | 'id'
  | 'ids'
  | 'text'
  | 'choice'
  | 'flag'
  | 'number'
  | 'instant'
  | 'json'
  | 'nested'
  | 'list'
  | 'raw';

export type FieldedClass = abstract new (...args: never[]) => object;

const FIELDS = Symbol('fields');

interface Fielded {
  [FIELDS]?: Map<string, FieldInfo>;
}

/** Adds a field to the class of `prototype`, in a table of its own, so that subclasses do not leak into parents. */
export function addField(prototype: object, info: FieldInfo): void {
  const fielded = prototype as Fielded;
  if (!Object.hasOwn(prototype, FIELDS)) fielded[FIELDS] = new Map();
  fielded[FIELDS]?.set(info.name, info);
}

const known = new WeakMap<object, readonly FieldInfo[]>();

/** The fields of a class: the parents' first, those marked `last` at the end. */
export function fieldsOf(type: FieldedClass): readonly FieldInfo[] {
  const found = known.get(type);
  if (found) return found;
  const byName = new Map<string, FieldInfo>();
  const chain: object[] = [];
  for (
    let at: object | null = type.prototype as object;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    chain.unshift(at);
  }
  for (const prototype of chain) {
    if (!Object.hasOwn(prototype, FIELDS)) continue;
    for (const [name, info] of (prototype as Fielded)[FIELDS] ?? []) byName.set(name, info);
  }
  const all = [...byName.values()];
  const ordered = [...all.filter((field) => !field.last), ...all.filter((field) => field.last)];
  known.set(type, ordered);
  return ordered;
}

/** The fields of a value's class; null for plain objects. */
export function fieldsOfValue(value: object): readonly FieldInfo[] | null {
  const type = (value as { constructor?: unknown }).constructor;
  if (type === Object || typeof type !== 'function') return null;
  const fields = fieldsOf(type as FieldedClass);
  return fields.length > 0 ? fields : null;
}

/** The value of an omitted field. */
export function defaultOf(field: FieldInfo, stored: object = {}): unknown {
  const made: unknown =
    typeof field.default === 'function'
      ? (field.default as (stored: object) => unknown)(stored)
      : field.default;
  if (made !== undefined) return made;
  return field.kind === 'list' || field.kind === 'ids' ? [] : null;
}
