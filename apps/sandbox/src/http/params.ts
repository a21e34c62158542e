import type { Metadata, Nested } from '../ledger/records.js';
import { badParameter } from './refusal.js';

/** A parsed form: text, lists and nested objects. */
export type Params = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Refuses parameters that the route does not know, as a misspelt one would otherwise go unnoticed. */
export function onlyKnown(params: Params, known: ReadonlySet<string>): void {
  for (const name in params) {
    if (!known.has(name)) throw badParameter(name, `Unknown parameter: ${name}`, 'parameter_unknown');
  }
}

/** Text, or undefined when absent. An empty text is a value: it unsets. */
export function text(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badParameter(name, `${name} must be text`, 'parameter_invalid_string');
}

/** Text that is not empty, or undefined when absent. */
export function filled(params: Params, name: string): string | undefined {
  const value = text(params, name);
  if (value === '') throw badParameter(name, `${name} must not be empty`, 'parameter_invalid_empty');
  return value;
}

/** For each name text, or null for unset by the empty text; the present value where absent. */
export function replacedTexts<const N extends string>(
  params: Params,
  names: readonly N[],
  present?: Readonly<Record<N, string | null>>,
): Record<N, string | null> {
  const value = (name: N) => {
    const given = text(params, name);
    return given === undefined ? (present?.[name] ?? null) : given || null;
  };
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, string | null>;
}

export function required(params: Params, name: string): string {
  const value = filled(params, name);
  if (value === undefined) throw badParameter(name, `Missing parameter: ${name}`, 'parameter_missing');
  return value;
}

export function integer(params: Params, name: string): number | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number;
  throw badParameter(name, `${name} must be an integer`, 'parameter_invalid_integer');
}

export function flag(params: Params, name: string): boolean | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  if (value === 'true' || value === true) return true;
  if (value === 'false' || value === false) return false;
  throw badParameter(name, `${name} must be true or false`, 'parameter_invalid_boolean');
}

export function choice<const T extends string>(
  params: Params,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = text(params, name);
  if (value === undefined || value === '') return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined) throw badParameter(name, `${name} must be one of ${allowed.join(', ')}`);
  return found;
}

export function nested(params: Params, name: string): Params | undefined {
  const value = params[name];
  if (value === undefined || isObject(value)) return value;
  throw badParameter(name, `${name} must be an object`, 'parameter_invalid_object');
}

/** A nested object, null for unset by the empty text, the present one when absent. */
export function replacedObject(params: Params, name: string, present: Nested | null = null): Nested | null {
  if (params[name] === '') return null;
  return nested(params, name) ?? present;
}

/** A list of texts; a single text counts as a list of one, and numbered keys as a list. */
export function list(params: Params, name: string): readonly string[] | undefined {
  const value = params[name];
  if (value === undefined) return undefined;
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value)
      : [value];
  if (items.every((item): item is string => typeof item === 'string')) return items;
  throw badParameter(name, `${name} must be a list of texts`, 'parameter_invalid_array');
}

/** The metadata after the request: named keys are set, those given empty are removed, an empty text removes all. */
export function metadata(params: Params, present: Metadata = {}): Metadata {
  if (params.metadata === '') return {};
  const merged: Record<string, string> = { ...present };
  for (const [key, value] of Object.entries(nested(params, 'metadata') ?? {})) {
    if (typeof value !== 'string' || key.length > 40 || value.length > 500) {
      throw badParameter(`metadata[${key}]`, 'Metadata are texts of at most 500 characters, keys of 40');
    }
    if (value === '') Reflect.deleteProperty(merged, key);
    else merged[key] = value;
  }
  if (Object.keys(merged).length <= 50) return merged;
  throw badParameter('metadata', 'There are at most 50 metadata keys');
}
