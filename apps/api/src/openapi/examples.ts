import { fillsDefaults, isRecord, optionsOf, type FieldInfo, type FieldedClass } from '@commerce/records';

import { EXAMPLES_BY_FIELD, EXAMPLES_BY_SCHEMA } from './example-values.js';
import { factsOf, shownFields, type Dialect, type FieldFacts } from './field-schemas.js';

type Example = Record<string, unknown>;

/** An example of a class in a dialect, made of its fields' examples; `name` is that of its schema. */
export function exampleOf(type: FieldedClass, dialect: Dialect, name: string): Example {
  const own = EXAMPLES_BY_SCHEMA[name.replace(/InEvent$/, '')] ?? {};
  if (dialect === 'request' && Object.keys(own).length > 0) return own;
  const fields = shownFields(type).filter((field) => dialect !== 'request' || isTypical(type, field));
  return Object.fromEntries(
    fields.map((field) => {
      const value = plainValue(type, field, own[field.name]);
      return [field.name, value === undefined ? nested(field, dialect) : written(value, field, dialect)];
    }),
  );
}

/** An example of a request carries what it must carry; where that is nothing, what has an example of its own. */
function isTypical(type: FieldedClass, field: FieldInfo): boolean {
  const facts = factsOf(field);
  if (facts.required === true) return true;
  return field.name in EXAMPLES_BY_FIELD && !(fillsDefaults(type) && 'default' in facts);
}

/** The nearest example that fits the field, with ids and dates plain; undefined for nested values without one. */
function plainValue(type: FieldedClass, field: FieldInfo, own: unknown): unknown {
  if (field.name === '_cls' && isRecord(type)) return optionsOf(type).cls;
  const facts = factsOf(field);
  const known = [own, facts.example, EXAMPLES_BY_FIELD[field.name], facts['default']];
  const nullable = facts.nullable === true && !field.filled;
  for (const value of known) {
    if (value !== undefined && (fits(value, field, facts) || (value === null && nullable))) return value;
  }
  return nullable ? null : madeUp(field, facts);
}

function fits(value: unknown, field: FieldInfo, facts: FieldFacts): boolean {
  switch (field.kind) {
    case 'id':
      return typeof value === 'string' && /^[0-9a-f]{24}$/.test(value);
    case 'choice':
      return facts.enum?.includes(value as string) ?? false;
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
    case 'instant':
      return typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'ids':
    case 'list':
      return Array.isArray(value);
    case 'json':
      return Array.isArray(value) === (field.shape === 'list') && typeof value === 'object';
    case 'nested':
    case 'raw':
      return value !== null;
  }
}

const AN_ID = '65b9a1c2d3e4f50617283940';
const A_DATE = 1706659200000;

function madeUp(field: FieldInfo, facts: FieldFacts): unknown {
  switch (field.kind) {
    case 'id':
      return AN_ID;
    case 'ids':
      return [AN_ID];
    case 'instant':
      return A_DATE;
    case 'flag':
      return false;
    case 'number':
      return facts['minimum'] ?? 0;
    case 'text':
      return 'text';
    case 'choice':
      return facts.enum?.[0];
    case 'list':
      return field.type === null ? [] : undefined;
    case 'json':
      return field.shape === 'list' ? [] : {};
    case 'raw':
      return {};
    case 'nested':
      return undefined;
  }
}

/** A plain value as the dialect writes it. */
function written(value: unknown, field: FieldInfo, dialect: Dialect): unknown {
  if (value === null || dialect !== 'reply') return value;
  if (field.kind === 'id') return { $oid: value };
  if (field.kind === 'ids') return (value as unknown[]).map((id) => ({ $oid: id }));
  return field.kind === 'instant' ? { $date: value } : value;
}

function nested(field: FieldInfo, dialect: Dialect): unknown {
  const type = field.type?.();
  const example = type === undefined ? {} : exampleOf(type, dialect, type.name);
  return field.kind === 'list' ? [example] : example;
}
