import type { OpenAPIObject } from '@nestjs/swagger';
import { fieldsOf, type FieldInfo, type FieldedClass } from '@commerce/platform';

/** A schema of OpenAPI 3.0. */
export type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

/** The two values that replies wrap. */
export const WRAPPED: Readonly<Record<string, Schema>> = {
  Id: {
    type: 'object',
    properties: { $oid: { type: 'string', pattern: '^[0-9a-f]{24}$' } },
    required: ['$oid'],
  },
  Instant: {
    type: 'object',
    properties: { $date: { type: 'integer', format: 'int64', description: 'milliseconds since 1970, UTC' } },
    required: ['$date'],
  },
};

const ID: Schema = { $ref: '#/components/schemas/Id' };
const INSTANT: Schema = { $ref: '#/components/schemas/Instant' };

/** Where the document's generator keeps what the leaves say of a field. */
const NOTED = 'swagger/apiModelProperties';

/** How the fields of a class look in replies: the same fields as in the database, in the reply dialect. */
export function replySchema(type: FieldedClass): Schema {
  const shown = fieldsOf(type).filter((field) => !field.hidden);
  const properties = Object.fromEntries(shown.map((field) => [field.name, fieldSchema(type, field)]));
  return { type: 'object', properties, required: shown.map((field) => field.name) };
}

function fieldSchema(type: FieldedClass, field: FieldInfo): Schema {
  const noted = (Reflect.getMetadata(NOTED, type.prototype as object, field.name) ?? {}) as Record<
    string,
    unknown
  >;
  const { description, example } = noted;
  const about: Partial<Exclude<Schema, { $ref: string }>> = {
    ...(typeof description === 'string' ? { description } : {}),
    ...(example === undefined || field.kind === 'instant' ? {} : { example }),
    ...(noted['nullable'] === true ? { nullable: true } : {}),
  };
  const value = valueSchema(field, noted);
  // Beside a reference nothing else counts, so that it is wrapped where something else is to be said.
  return '$ref' in value && Object.keys(about).length > 0
    ? { allOf: [value], ...about }
    : { ...value, ...about };
}

function valueSchema(field: FieldInfo, noted: Readonly<Record<string, unknown>>): Schema {
  switch (field.kind) {
    case 'id':
      return ID;
    case 'ids':
      return { type: 'array', items: ID };
    case 'instant':
      return INSTANT;
    case 'flag':
      return { type: 'boolean' };
    case 'number':
      return { type: noted['type'] === 'integer' ? 'integer' : 'number' };
    case 'text':
      return { type: 'string' };
    case 'choice':
      return { type: 'string', enum: noted['enum'] as string[] };
    case 'nested':
      return field.type === null ? {} : replySchema(field.type());
    case 'list':
      return { type: 'array', items: field.type === null ? plain(noted['type']) : replySchema(field.type()) };
    case 'json':
    case 'raw':
      return {};
  }
}

function plain(type: unknown): Schema {
  if (type === Number) return { type: 'number' };
  return type === String ? { type: 'string' } : {};
}
