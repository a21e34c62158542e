import { fieldsOf, fieldsOfValue, type FieldInfo } from '../fields/fields.js';
import { FreeJson } from '../fields/free-json.js';
import { isId } from '../fields/id.js';

/**
 * Renders any value for events, commands and the like, by walking it: ids are text, dates are numbers. Records and the
 * values nested in them show their fields in the order in which their class declares them, without the hidden ones; free
 * JSON passes through untouched. Replies are rendered by `replyJson`.
 */
export function render(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object') return value;
  if (value instanceof Date) return value.getTime();
  if (isId(value)) return value.toHexString();
  if (value instanceof FreeJson) return value.value;
  if (Array.isArray(value)) return value.map(render);
  const fields = fieldsOfValue(value);
  return fields ? renderFields(fields, value) : renderPlain(value);
}

function renderFields(fields: readonly FieldInfo[], value: object): Record<string, unknown> {
  const values = value as Record<string, unknown>;
  const rendered: Record<string, unknown> = {};
  for (const { name, hidden, type } of fields) {
    if (hidden) continue;
    rendered[name] = type === null ? render(values[name]) : renderNested(fieldsOf(type()), values[name]);
  }
  return rendered;
}

/** A nested value from the database has lost its class; the field that holds it still knows it. */
function renderNested(fields: readonly FieldInfo[], value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => renderNested(fields, one));
  if (typeof value !== 'object' || value === null || fields.length === 0) return render(value);
  return renderFields(fields, value);
}

function renderPlain(value: object): Record<string, unknown> {
  const values = value as Record<string, unknown>;
  const rendered: Record<string, unknown> = {};
  for (const key of Object.keys(values)) {
    if (values[key] !== undefined) rendered[key] = render(values[key]);
  }
  return rendered;
}

export function renderObject(value: object): Record<string, unknown> {
  return render(value) as Record<string, unknown>;
}
