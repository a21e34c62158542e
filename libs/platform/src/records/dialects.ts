import { fieldsOfValue } from './fields.js';
import { FreeJson } from './free-json.js';
import { isId, type Id } from './id.js';

/** How ids and dates are written: replies wrap them (`{$oid}`, `{$date}`), events and their like do not. */
export interface Dialect {
  id(id: Id): unknown;
  date(date: Date): unknown;
}

export const REPLY: Dialect = {
  id: (id) => ({ $oid: id.toHexString() }),
  date: (date) => ({ $date: date.getTime() }),
};

export const EVENT: Dialect = {
  id: (id) => id.toHexString(),
  date: (date) => date.getTime(),
};

/**
 * Renders any value in a dialect, by walking it. Records show their fields in the order in which their class
 * declares them, without the hidden ones; free JSON passes through untouched.
 */
export function render(value: unknown, dialect: Dialect): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return dialect.date(value);
  if (isId(value)) return dialect.id(value);
  if (value instanceof FreeJson) return value.value;
  if (Array.isArray(value)) return value.map((one) => render(one, dialect));
  const fields = fieldsOfValue(value);
  const rendered: Record<string, unknown> = {};
  const values = value as Record<string, unknown>;
  if (fields) {
    for (const field of fields) {
      if (!field.hidden) rendered[field.name] = render(values[field.name], dialect);
    }
    return rendered;
  }
  for (const key of Object.keys(values)) {
    if (values[key] !== undefined) rendered[key] = render(values[key], dialect);
  }
  return rendered;
}

export function renderObject(value: object, dialect: Dialect): Record<string, unknown> {
  return render(value, dialect) as Record<string, unknown>;
}
