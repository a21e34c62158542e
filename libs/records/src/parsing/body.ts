import type { Type } from '@nestjs/common';
import { PartialType, PickType } from '@nestjs/mapped-types';
import { Fault, isFault, type FieldError } from '@commerce/kernel';
import { validateSync, type ValidationError } from 'class-validator';

import { addField, defaultOf, fieldsOf, type FieldInfo, type FieldedClass } from '../fields/fields.js';
import { FreeJson } from '../fields/free-json.js';
import { passesRules } from './rules.js';

const CREATES = Symbol('creates');

/** A body class with the named fields of a record, for creating it: the record's defaults fill omitted fields. */
export function createBody<T extends object, K extends keyof T & string>(
  record: Type<T>,
  names: readonly K[],
): Type<Pick<T, K>> {
  const body = PickType(record, names);
  copyFields(record, body, names);
  (body.prototype as { [CREATES]?: boolean })[CREATES] = true;
  return body;
}

/**
 * A body class with the named fields of a record, for changing it: omitted fields keep their values, so none has a
 * default.
 */
export function updateBody<T extends object, K extends keyof T & string>(
  record: Type<T>,
  names: readonly K[],
): Type<Partial<Pick<T, K>>> {
  const body = PartialType(PickType(record, names), { skipNullProperties: false });
  copyFields(record, body, names, withoutDefault);
  return body;
}

/** Whether omitted fields of this body class get their defaults; in a class that changes a record they do not. */
export function fillsDefaults(body: FieldedClass): boolean {
  return (body.prototype as { [CREATES]?: boolean })[CREATES] === true;
}

type Document = FieldInfo['document'];

function withoutDefault(facts: Document): Document {
  const kept = Object.entries(facts).filter(([name]) => name !== 'default');
  return { ...Object.fromEntries(kept), required: false };
}

function copyFields(
  from: Type,
  to: Type,
  names: readonly string[],
  documented: (facts: Document) => Document = (facts) => facts,
): void {
  for (const field of fieldsOf(from as FieldedClass)) {
    if (!names.includes(field.name)) continue;
    addField(to.prototype as object, { ...field, last: false, document: documented(field.document) });
  }
}

/**
 * Parses a body: unknown fields, wrong types and values out of range are refused, each with its path. The result holds
 * the given values and the defaults: of a body that creates, and of nested values, which are always given whole.
 * @throws Fault `body.invalid` or `value.invalid` with one entry in `errors` for each bad field
 */
export function parseBody<T extends object>(type: Type<T>, input: unknown): T {
  if (!isObject(input)) {
    throw new Fault('body.invalid', 'The body must be a JSON object', {
      errors: [{ path: '', code: 'body.invalid', message: 'The body must be a JSON object' }],
    });
  }
  const errors: FieldError[] = [];
  const body = read(type, input, '', errors);
  checkRules(body, errors);
  refuse(errors);
  fill(type, body, fillsDefaults(type));
  return body as T;
}

/** Adds an error for each rule that a body or query breaks. */
export function checkRules(value: object, errors: FieldError[]): void {
  if (passesRules(value)) return;
  collect(validateSync(value, { stopAtFirstError: true, forbidUnknownValues: false }), '', errors);
}

/** Throws these errors as one fault, if there are any. */
export function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first === undefined) return;
  throw new Fault(first.path === '' ? first.code : 'value.invalid', first.message, { errors });
}

/** Sets the defaults of omitted fields. */
export function fillDefaults(type: FieldedClass, value: object): void {
  fill(type, value, true);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const tables = new WeakMap<FieldedClass, ReadonlyMap<string, FieldInfo>>();

function tableOf(type: FieldedClass): ReadonlyMap<string, FieldInfo> {
  let table = tables.get(type);
  if (table === undefined) {
    table = new Map(fieldsOf(type).map((field) => [field.name, field]));
    tables.set(type, table);
  }
  return table;
}

/** Makes an instance of the class. Unknown fields are refused; the rules check the others later. */
function read(
  type: FieldedClass,
  input: Record<string, unknown>,
  path: string,
  errors: FieldError[],
): object {
  const fields = tableOf(type);
  // Without `new`: the constructors of picked classes build and search a whole record each time.
  const values = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const key of Object.keys(input)) {
    const field = fields.get(key);
    if (field !== undefined) {
      values[key] = readField(field, input[key], path + key, errors);
    } else {
      const at = path + key;
      errors.push({ path: at, code: 'field.unknown', message: `${at} is not a field of this request` });
    }
  }
  return values;
}

function readField(field: FieldInfo, value: unknown, at: string, errors: FieldError[]): unknown {
  if (field.kind === 'json') return readJson(field, value, at, errors);
  if (value === undefined || value === null) return value;
  if (field.type !== null) return readNested(field.type(), value, at, errors);
  return field.read === null ? value : field.read(value);
}

function readNested(type: FieldedClass, value: unknown, at: string, errors: FieldError[]): unknown {
  if (isObject(value)) return read(type, value, `${at}.`, errors);
  if (!Array.isArray(value)) return value;
  return value.map((one: unknown, index) =>
    isObject(one) ? read(type, one, `${at}.${String(index)}.`, errors) : one,
  );
}

/** Wraps free JSON before any walker sees it. Null restores the default. */
function readJson(field: FieldInfo, value: unknown, at: string, errors: FieldError[]): unknown {
  if (value === null) return defaultOf(field);
  const fits =
    field.shape === 'list'
      ? Array.isArray(value)
      : isObject(value) || (field.shape === null && Array.isArray(value));
  if (!fits) {
    const shape = field.shape === 'list' ? 'list' : 'object';
    errors.push({ path: at, code: 'value.invalid', message: `${at} must be a JSON ${shape}` });
    return null;
  }
  try {
    return FreeJson.of(value, at);
  } catch (error) {
    if (!isFault(error)) throw error;
    errors.push(...(error.details.errors ?? []));
    return null;
  }
}

/** Sets the defaults of omitted fields, or removes these: an undefined one would count as given. */
function fill(type: FieldedClass, body: object, creates: boolean): void {
  const values = body as Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    const value = values[field.name];
    if (value === undefined) {
      if (creates && !(field.kind === 'json' && field.default === undefined))
        values[field.name] = defaultOf(field);
      else if (Object.hasOwn(values, field.name)) Reflect.deleteProperty(values, field.name);
    } else if (field.type !== null) {
      const nested = field.type();
      for (const one of Array.isArray(value) ? value : [value]) {
        if (isObject(one)) fill(nested, one, true);
      }
    }
  }
}

function collect(found: readonly ValidationError[], path: string, errors: FieldError[]): void {
  for (const error of found) {
    const at = path === '' ? error.property : `${path}.${error.property}`;
    for (const message of Object.values(error.constraints ?? {})) {
      const text = message.replace(error.property, at);
      errors.push({ path: elementOf(text, at), code: 'value.invalid', message: text });
    }
    collect(error.children ?? [], at, errors);
  }
}

/** The path of an error: that of a list's element where the message names one. */
function elementOf(message: string, at: string): string {
  const [element = ''] = /^\.\d+(?= )/.exec(message.slice(at.length)) ?? [];
  return at + element;
}
