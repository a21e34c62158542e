import { fieldsOf, fieldsOfValue, type FieldInfo } from '../fields/fields.js';
import { FreeJson } from '../fields/free-json.js';
import { isId, type Id } from '../fields/id.js';

/** The format of ids and dates: replies wrap them (`{$oid}`, `{$date}`), events and similar output do not. */
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
 * Renders any value in a dialect, by walking it. Records and the values nested in them show their fields in the
 * order in which their class declares them, without the hidden ones; free JSON passes through untouched.
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
  return fields ? renderFields(fields, value, dialect) : renderPlain(value, dialect);
}

function renderFields(
  fields: readonly FieldInfo[],
  value: object,
  dialect: Dialect,
): Record<string, unknown> {
  const values = value as Record<string, unknown>;
  const rendered: Record<string, unknown> = {};
  for (const field of fields) {
    if (field.hidden) continue;
    const one = values[field.name];
    rendered[field.name] =
      field.type === null ? render(one, dialect) : renderNested(fieldsOf(field.type()), one, dialect);
  }
  return rendered;
}

/** A nested value from the database has lost its class; the field that holds it still knows it. */
function renderNested(fields: readonly FieldInfo[], value: unknown, dialect: Dialect): unknown {
  if (Array.isArray(value)) return value.map((one) => renderNested(fields, one, dialect));
  if (typeof value !== 'object' || value === null || fields.length === 0) return render(value, dialect);
  return renderFields(fields, value, dialect);
}

function renderPlain(value: object, dialect: Dialect): Record<string, unknown> {
  const values = value as Record<string, unknown>;
  const rendered: Record<string, unknown> = {};
  for (const key of Object.keys(values)) {
    if (values[key] !== undefined) rendered[key] = render(values[key], dialect);
  }
  return rendered;
}

export function renderObject(value: object, dialect: Dialect): Record<string, unknown> {
  return render(value, dialect) as Record<string, unknown>;
}
