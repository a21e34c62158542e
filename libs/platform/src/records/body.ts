import type { Type } from '@nestjs/common';
import { PartialType, PickType } from '@nestjs/swagger';
import { Fault, type FieldError } from '@commerce/kernel';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';

import { addField, defaultOf, fieldsOf, type FieldInfo, type FieldedClass } from './fields.js';
import { FREE_JSON_LIMITS, FreeJson } from './free-json.js';

const CREATES = Symbol('creates');

/** A body class with the named fields of a record, for creating it: the record's defaults fill what is left out. */
export function createBody<T extends object, K extends keyof T & string>(
  record: Type<T>,
  names: readonly K[],
): Type<Pick<T, K>> {
  const body = PickType(record, names);
  copyFields(record, body, names);
  (body.prototype as { [CREATES]?: boolean })[CREATES] = true;
  return body;
}

/** A body class with the named fields of a record, for changing it: what is left out stays as it is. */
export function updateBody<T extends object, K extends keyof T & string>(
  record: Type<T>,
  names: readonly K[],
): Type<Partial<Pick<T, K>>> {
  const body = PartialType(PickType(record, names), { skipNullProperties: false });
  copyFields(record, body, names);
  return body;
}

function copyFields(from: Type, to: Type, names: readonly string[]): void {
  for (const field of fieldsOf(from as FieldedClass)) {
    if (names.includes(field.name)) addField(to.prototype as object, { ...field, last: false });
  }
}

/**
 * Reads a body: unknown fields, wrong types and values out of range are refused, each with its path. The result
 * holds only what was given, and in a body that creates, the defaults.
 * @throws Fault `body.invalid` or `value.invalid` with one entry in `errors` for each bad field
 */
export function parseBody<T extends object>(type: Type<T>, input: unknown): T {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw invalid([{ path: '', code: 'body.invalid', message: 'The body must be a JSON object' }]);
  }
  const errors: FieldError[] = [];
  const free = new Map<string, FreeJson | null>();
  const plain = known(type, input as Record<string, unknown>, '', errors, free);
  const body = plainToInstance(type, plain) as T & Record<string, unknown>;
  if (errors.length === 0)
    collect(validateSync(body, { stopAtFirstError: true, forbidUnknownValues: false }), '', errors);
  if (errors.length > 0) throw invalid(errors);
  const values = body as Record<string, unknown>;
  for (const [name, json] of free) values[name] = json;
  const creates = (type.prototype as { [CREATES]?: boolean })[CREATES] === true;
  for (const field of fieldsOf(type)) {
    if (values[field.name] !== undefined) continue;
    if (creates && !(field.kind === 'json' && field.default === undefined))
      values[field.name] = defaultOf(field);
    // class-transformer leaves undefined members behind, which would read as "given".
    else Reflect.deleteProperty(values, field.name);
  }
  return body;
}

function invalid(errors: readonly FieldError[]): Fault {
  const [first] = errors;
  const code = first?.path === '' ? first.code : 'value.invalid';
  return new Fault(code, first === undefined ? 'The body is invalid' : first.message, { errors });
}

/** Refuses fields that the class does not have, and lifts free JSON out before any walker can touch it. */
function known(
  type: FieldedClass,
  input: Record<string, unknown>,
  path: string,
  errors: FieldError[],
  free: Map<string, FreeJson | null>,
): Record<string, unknown> {
  const fields = new Map(fieldsOf(type).map((field) => [field.name, field]));
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    const at = path + key;
    const field = fields.get(key);
    if (field === undefined) {
      errors.push({ path: at, code: 'field.unknown', message: `${at} is not a field of this request` });
    } else if (field.kind === 'json') {
      liftJson(input[key], field, at, errors, free);
    } else {
      plain[key] = field.type === null ? input[key] : nested(field.type(), input[key], at, errors);
    }
  }
  return plain;
}

function liftJson(
  value: unknown,
  field: FieldInfo,
  at: string,
  errors: FieldError[],
  free: Map<string, FreeJson | null>,
): void {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) > FREE_JSON_LIMITS.bytes) {
    errors.push({ path: at, code: 'value.too_large', message: `${at} must not be larger than 64 KiB` });
  } else if (value !== null && typeof value !== 'object') {
    errors.push({ path: at, code: 'value.invalid', message: `${at} must be a JSON object` });
  } else {
    free.set(field.name, value === null ? null : FreeJson.of(value, at));
  }
}

function nested(type: FieldedClass, value: unknown, at: string, errors: FieldError[]): unknown {
  if (Array.isArray(value))
    return value.map((one, index) => nested(type, one, `${at}.${String(index)}`, errors));
  if (typeof value !== 'object' || value === null) return value;
  return known(type, value as Record<string, unknown>, `${at}.`, errors, new Map());
}

function collect(found: readonly ValidationError[], path: string, errors: FieldError[]): void {
  for (const error of found) {
    const at = path === '' ? error.property : `${path}.${error.property}`;
    for (const message of Object.values(error.constraints ?? {})) {
      errors.push({ path: at, code: 'value.invalid', message: message.replace(error.property, at) });
    }
    collect(error.children ?? [], at, errors);
  }
}
