import { IsBoolean, ValidateBy } from 'class-validator';
import { Schema, Types } from 'mongoose';

import { LAST_REQUESTED, readInstant } from '@commerce/platform';
import { withArticle } from './article.js';
import { field, type FieldOptions } from './field.js';
import { FreeJson } from './free-json.js';
import { parseId } from './id.js';

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'flag',
    stored: { type: Boolean },
    shown: { type: Boolean },
    rules: [IsBoolean()],
    options,
  });
}

/** An instant: integer milliseconds (or seconds, below 1e11) in requests, from 1970 to 2200; a Date inside. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'instant',
    stored: { type: Date },
    shown: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      maximum: LAST_REQUESTED.getTime(),
      example: 1706659200000,
    },
    rules: [
      ValidateBy({
        name: 'isInstant',
        validator: {
          validate: (value) => value instanceof Date && value <= LAST_REQUESTED,
          defaultMessage: () =>
            `$property must be an integer count of milliseconds from 0 (1970) to ${String(LAST_REQUESTED.getTime())} (2200)`,
        },
      }),
    ],
    read: (value) => (value instanceof Date ? value : (readInstant(value) ?? value)),
    options,
  });
}

/** An instant, or one of these words. */
export function InstantOr(words: readonly string[], options: FieldOptions = {}): PropertyDecorator {
  const bounds = `an integer count of milliseconds from 0 (1970) to ${String(LAST_REQUESTED.getTime())} (2200)`;
  return field({
    kind: 'instant',
    stored: { type: Date },
    shown: {
      oneOf: [
        { type: 'string', enum: [...words] },
        { type: 'integer', format: 'int64', minimum: 0, maximum: LAST_REQUESTED.getTime() },
      ],
      example: words[0],
    },
    rules: [
      ValidateBy({
        name: 'isInstantOr',
        validator: {
          validate: (value) =>
            value instanceof Date ? value <= LAST_REQUESTED : words.some((word) => word === value),
          defaultMessage: () => `$property must be ${words.join(', ')} or ${bounds}`,
        },
      }),
    ],
    read: (value) =>
      typeof value === 'string' && words.includes(value) ? value : (readInstant(value) ?? value),
    options,
  });
}

/** A reference to another record: 24 hexadecimal digits in requests. */
export function Ref(to: string, options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'id',
    stored: { type: Schema.Types.ObjectId },
    shown: { type: String, pattern: '^[0-9a-f]{24}$', description: `id of ${withArticle(to)}` },
    rules: [
      ValidateBy({
        name: 'isId',
        validator: {
          validate: (value) => value instanceof Types.ObjectId,
          defaultMessage: () => `$property must be the id of ${withArticle(to)}: 24 hexadecimal digits`,
        },
      }),
    ],
    read: readId,
    options,
  });
}

export function readId(value: unknown): unknown {
  return typeof value === 'string' ? (parseId(value) ?? value) : value;
}

/**
 * JSON of the caller's own shape, an object or a list; see FreeJson for its safeguards. Only records and bodies
 * themselves can have such a field, nested values cannot.
 */
export function AnyJson(options: FieldOptions & { shape?: 'object' | 'list' } = {}): PropertyDecorator {
  const { shape } = options;
  const known =
    typeof options.default === 'object' && options.default !== null
      ? { default: keptJson(JSON.stringify(options.default)) }
      : {};
  return field({
    kind: 'json',
    stored: { type: String },
    shown: shape === 'list' ? { type: Object, isArray: true } : { type: Object, additionalProperties: true },
    rules: [],
    ...(shape === undefined ? {} : { shape }),
    options: { ...options, ...known },
  });
}

function keptJson(text: string): () => FreeJson {
  return () => FreeJson.stored(text);
}

/** A value that the service itself writes and shows unchanged; never part of a body. `schema` documents it. */
export function Written(
  options: FieldOptions & { schema?: Readonly<Record<string, unknown>> } = {},
): PropertyDecorator {
  const { schema } = options;
  return field({
    kind: 'raw',
    stored: { type: Schema.Types.Mixed },
    shown: { type: Object },
    rules: [],
    ...(schema === undefined ? {} : { schema }),
    options,
  });
}
