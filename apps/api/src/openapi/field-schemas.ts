import { fieldsOf, type FieldInfo, type FieldedClass } from '@commerce/records';

import { ref, type Schema } from './openapi.js';

/** Where values are written: replies wrap ids and dates, requests and events carry them plain. */
export type Dialect = 'reply' | 'request' | 'event';

/** Gives the schema of a nested class, wherever it is kept. */
export type Nested = (type: FieldedClass, dialect: Dialect) => Schema;

/** The pattern of an id. */
export const ID = '^[0-9a-f]{24}$';

/** The two values that replies wrap. */
export const WRAPPED: Readonly<Record<string, Schema>> = {
  Id: {
    type: 'object',
    description: 'the id of a record',
    properties: { $oid: { type: 'string', pattern: ID, description: '24 hexadecimal digits' } },
    required: ['$oid'],
    examples: [{ $oid: '65b9a1c2d3e4f50617283940' }],
  },
  Instant: {
    type: 'object',
    description: 'a date',
    properties: { $date: { type: 'integer', format: 'int64', description: 'milliseconds since 1970, UTC' } },
    required: ['$date'],
    examples: [{ $date: 1706659200000 }],
  },
};

/** What the field decorators left for documents: bounds, description, example, whether it must be given. */
export interface FieldFacts {
  readonly required?: boolean;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly type?: unknown;
  readonly isArray?: boolean;
  readonly enum?: readonly string[];
  /** Those of them that requests are told of. */
  readonly offered?: readonly string[];
  readonly [keyword: string]: unknown;
}

export function factsOf({ document }: FieldInfo): FieldFacts {
  return document;
}

/** The fields that a dialect shows. Fields that the service keeps to itself are in none. */
export function shownFields(type: FieldedClass): readonly FieldInfo[] {
  return fieldsOf(type).filter((field) => !field.hidden);
}

/** What the fields say that all records share, wherever a record says nothing else of them. */
const SHARED: Readonly<Record<string, string>> = {
  created: 'when it was created',
  updated: 'when it was last changed',
  modified: 'when it was last changed',
  deleted: 'whether it was deleted; deleted records are kept',
};

/** How one field of a class looks in a dialect. */
export function fieldSchema(type: FieldedClass, field: FieldInfo, dialect: Dialect, nested: Nested): Schema {
  const facts = factsOf(field);
  const value = valueSchema(field, facts, dialect, nested);
  const description = facts.description ?? SHARED[field.name];
  const about = {
    ...(description === undefined ? {} : { description }),
    ...(dialect === 'request' && 'default' in facts ? { default: facts['default'] } : {}),
  };
  return { ...(mayBeNull(field, facts, dialect) ? orNull(value) : value), ...about };
}

/** No record is without what the service fills in; what is free JSON can always be taken back by null. */
function mayBeNull(field: FieldInfo, facts: FieldFacts, dialect: Dialect): boolean {
  if (field.kind === 'json' && dialect === 'request') return true;
  return facts.nullable === true && !(field.filled && dialect !== 'request');
}

/** Generators make one type of a choice or a record, and null beside it, only where the two stand apart. */
function orNull(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (Object.keys(schema).length === 0) return schema;
  if (type === undefined || values !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...(typeof type === 'string' ? [type] : type), 'null'] };
}

function valueSchema(field: FieldInfo, facts: FieldFacts, dialect: Dialect, nested: Nested): Schema {
  switch (field.kind) {
    case 'id':
      return idSchema(dialect);
    case 'ids':
      return { type: 'array', items: idSchema(dialect), ...bounds(facts, dialect) };
    case 'instant':
      return instantSchema(facts, dialect);
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return { type: facts.type === 'integer' ? 'integer' : 'number', ...bounds(facts, dialect) };
    case 'text':
      return { type: 'string', ...bounds(facts, dialect) };
    case 'choice':
      return choiceSchema(facts, dialect);
    case 'nested':
      return field.type === null ? {} : nested(field.type(), dialect);
    case 'list': {
      const items = field.type === null ? element(facts, dialect) : nested(field.type(), dialect);
      return { type: 'array', items, ...bounds(facts, dialect) };
    }
    case 'json':
      return jsonSchema(field);
    case 'raw':
      return field.schema ?? {};
  }
}

function idSchema(dialect: Dialect): Schema {
  return dialect === 'reply' ? ref('schemas', 'Id') : { type: 'string', pattern: ID };
}

/** Requests may have words beside the instants of a field. */
function instantSchema(facts: FieldFacts, dialect: Dialect): Schema {
  if (dialect === 'reply') return ref('schemas', 'Instant');
  const { oneOf } = facts;
  if (dialect === 'request' && oneOf !== undefined) return { oneOf };
  return { type: 'integer', format: 'int64', ...bounds(facts, dialect) };
}

/** Free JSON. Generators do without neither `items` nor `additionalProperties`. */
function jsonSchema({ shape }: FieldInfo): Schema {
  const object = { additionalProperties: true };
  const list = { items: {} };
  if (shape === 'object') return { type: 'object', ...object };
  return shape === 'list' ? { type: 'array', ...list } : { type: ['object', 'array'], ...object, ...list };
}

const BOUNDS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern', 'format'];

/** Bounds are rules for requests. What the service computes may lie beyond them. */
function bounds(facts: FieldFacts, dialect: Dialect): Schema {
  if (dialect !== 'request') return {};
  return Object.fromEntries(BOUNDS.filter((name) => name in facts).map((name) => [name, facts[name]]));
}

function choiceSchema(facts: FieldFacts, dialect: Dialect): Schema {
  return { type: 'string', enum: (dialect === 'request' ? facts.offered : null) ?? facts.enum ?? [] };
}

function element(facts: FieldFacts, dialect: Dialect): Schema {
  return facts.enum === undefined ? plain(facts.type) : choiceSchema(facts, dialect);
}

function plain(type: unknown): Schema {
  if (type === Number) return { type: 'number' };
  return type === String ? { type: 'string' } : {};
}
