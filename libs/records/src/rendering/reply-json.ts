import { fieldsOf, fieldsOfValue, type FieldInfo } from '../fields/fields.js';
import { FreeJson } from '../fields/free-json.js';
import { isId } from '../fields/id.js';

/** A field that replies show, with its name as JSON and the class of its nested value. */
interface ShownField extends Pick<FieldInfo, 'name' | 'type'> {
  readonly label: string;
}

const known = new WeakMap<readonly FieldInfo[], readonly ShownField[]>();

function shownOf(fields: readonly FieldInfo[]): readonly ShownField[] {
  let shown = known.get(fields);
  if (shown === undefined) {
    shown = fields
      .filter(({ hidden }) => !hidden)
      .map(({ name, type }, index) => ({ name, type, label: `${index === 0 ? '' : ','}"${name}":` }));
    known.set(fields, shown);
  }
  return shown;
}

/**
 * The JSON of a reply: ids are wrapped as `{$oid}` and dates as `{$date}`, otherwise as `render` has it. It writes text at
 * once, because an object with as many keys as a record has is slow to build and slow to serialize.
 */
export function replyJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'object' && value !== null) return jsonOf(value);
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value);
  return typeof value === 'bigint' ? replyJson(Number(value)) : 'null';
}

function jsonOf(value: object): string {
  if (value instanceof Date) return `{"$date":${replyJson(value.getTime())}}`;
  if (isId(value)) return `{"$oid":"${value.toHexString()}"}`;
  if (value instanceof FreeJson) return value.text;
  if (Array.isArray(value)) return jsonOfList(value, replyJson);
  const fields = fieldsOfValue(value);
  return fields ? jsonOfFields(fields, value) : jsonOfPlain(value as Record<string, unknown>);
}

function jsonOfFields(fields: readonly FieldInfo[], value: object): string {
  const values = value as Record<string, unknown>;
  let json = '{';
  for (const { name, type, label } of shownOf(fields)) {
    const one = values[name];
    json += label + (type === null ? replyJson(one) : jsonOfNested(fieldsOf(type()), one));
  }
  return `${json}}`;
}

function jsonOfNested(fields: readonly FieldInfo[], value: unknown): string {
  if (Array.isArray(value)) return jsonOfList(value, (one) => jsonOfNested(fields, one));
  if (typeof value !== 'object' || value === null || fields.length === 0) return replyJson(value);
  return jsonOfFields(fields, value);
}

function jsonOfList(values: readonly unknown[], jsonOfOne: (value: unknown) => string): string {
  return `[${values.map(jsonOfOne).join(',')}]`;
}

function jsonOfPlain(values: Readonly<Record<string, unknown>>): string {
  const members = Object.keys(values)
    .filter((key) => values[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${replyJson(values[key])}`);
  return `{${members.join(',')}}`;
}
