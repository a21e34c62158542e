import { applyDecorators } from '@nestjs/common';
import { Prop, type PropOptions } from '@nestjs/mongoose';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { Schema, Types } from 'mongoose';

import { MAX_INSTANT_MS, readInstant } from '../time/instant.js';
import { addField, type FieldKind, type FieldedClass } from './fields.js';
import { FreeJson } from './free-json.js';
import { parseId } from './id.js';

/** What every leaf takes. */
export interface FieldOptions {
  /** The field may be left out of a body, or be null. */
  optional?: boolean;
  /** The value when it is left out; a function is called each time. Implies that it may be left out. */
  default?: unknown;
  /** Never shown. */
  hidden?: boolean;
  /** Kept for queries only and never read back, so that a large one costs readers nothing. Goes with hidden. */
  unread?: boolean;
  /** Shown after the fields of the subclass. */
  last?: boolean;
  description?: string;
  example?: unknown;
}

interface FieldSpec {
  kind: FieldKind;
  stored: PropOptions;
  shown: ApiPropertyOptions;
  rules: readonly PropertyDecorator[];
  type?: () => FieldedClass;
  read?: (value: unknown) => unknown;
  shape?: 'object' | 'list';
  options: FieldOptions;
}

/** Field, validation, reading and document in one: the parts that all leaves share. */
function field({ kind, stored, shown, rules, type, read, shape, options }: FieldSpec): PropertyDecorator {
  const optional = options.optional === true || 'default' in options;
  const presence =
    options.optional === true
      ? [ValidateIf((_body, value) => value !== undefined && value !== null)]
      : optional
        ? [ValidateIf((_body, value) => value !== undefined)]
        : [];
  const document: Record<string, unknown> = {
    ...shown,
    required: !optional,
    ...(options.optional === true ? { nullable: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
    ...('default' in options && typeof options.default !== 'function' ? { default: options.default } : {}),
  };
  const decorators = [
    Prop(stored),
    ...presence,
    ...rules,
    ...steps(read, type),
    ...(options.hidden === true ? [] : [ApiProperty(document)]),
    (target: object, name: string | symbol) =>
      addField(target, {
        name: String(name),
        kind,
        hidden: options.hidden === true,
        unread: options.unread === true,
        last: options.last === true,
        default: options.default,
        type: type ?? null,
        read: read ?? null,
        shape: shape ?? null,
      }),
  ];
  return applyDecorators(...decorators);
}

/** The same reading as class-transformer's own steps, so that `plainToInstance` makes of a value what bodies do. */
function steps(read: FieldSpec['read'], type: FieldSpec['type']): PropertyDecorator[] {
  const reading = ({ value }: { value: unknown }): unknown =>
    value === undefined || value === null || read === undefined ? value : read(value);
  return [
    ...(read === undefined ? [] : [Transform(reading, { toClassOnly: true })]),
    ...(type === undefined ? [] : [Type(type)]),
  ];
}

const HALF_A_PAIR = /\p{Surrogate}/u;

/** BSON turns half a surrogate pair into U+FFFD, and NUL ends a key or a pattern: neither would come back. */
function Storable(each = false): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorable',
      validator: {
        validate: (value) => typeof value !== 'string' || !(value.includes('\0') || HALF_A_PAIR.test(value)),
        defaultMessage: () => '$property must not contain NUL or half of a surrogate pair',
      },
    },
    { each },
  );
}

/** -0 would be shown as 0 but compare as another value. */
function withoutNegativeZero(value: unknown): unknown {
  return value === 0 ? 0 : value;
}

/** Text of at most 256 characters unless `max` says otherwise. */
export function Text(
  options: FieldOptions & { min?: number; max?: number; pattern?: RegExp } = {},
): PropertyDecorator {
  const { min, max = 256, pattern } = options;
  return field({
    kind: 'text',
    stored: { type: String },
    shown: { type: String, maxLength: max, ...(min === undefined ? {} : { minLength: min }) },
    rules: [
      IsString(),
      Storable(),
      MaxLength(max),
      ...(min === undefined ? [] : [MinLength(min)]),
      ...(pattern === undefined ? [] : [Matches(pattern)]),
    ],
    options,
  });
}

/** Long text, at most 16 KiB. */
export function LongText(options: FieldOptions = {}): PropertyDecorator {
  return Text({ ...options, max: 16 * 1024 });
}

export function Email(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'text',
    stored: { type: String },
    shown: { type: String, format: 'email' },
    rules: [IsString(), MaxLength(254), IsEmail()],
    options,
  });
}

/** One of a few words, read in upper and lower case; `fold` says in which it is kept (default upper). */
export function Choice(
  values: readonly string[],
  options: FieldOptions & { fold?: 'upper' | 'lower' | 'none' } = {},
): PropertyDecorator {
  const { fold = 'upper' } = options;
  const folded = (value: unknown): unknown => {
    if (typeof value !== 'string' || fold === 'none') return value;
    return fold === 'upper' ? value.toUpperCase() : value.toLowerCase();
  };
  return field({
    kind: 'choice',
    stored: { type: String },
    shown: { type: String, enum: [...values] },
    rules: [IsIn([...values])],
    read: folded,
    options,
  });
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'flag',
    stored: { type: Boolean },
    shown: { type: Boolean },
    rules: [IsBoolean()],
    options,
  });
}

/** A whole number. */
export function Integer(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = 2 ** 31 - 1 } = options;
  return field({
    kind: 'number',
    stored: { type: Number },
    shown: { type: 'integer', minimum: min, maximum: max },
    rules: [IsInt(), Min(min), Max(max)],
    read: withoutNegativeZero,
    options,
  });
}

/** A finite number. */
export function Decimal(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min, max } = options;
  return field({
    kind: 'number',
    stored: { type: Number },
    shown: {
      type: Number,
      ...(min === undefined ? {} : { minimum: min }),
      ...(max === undefined ? {} : { maximum: max }),
    },
    rules: [
      IsNumber({ allowInfinity: false, allowNaN: false }),
      ...(min === undefined ? [] : [Min(min)]),
      ...(max === undefined ? [] : [Max(max)]),
    ],
    read: withoutNegativeZero,
    options,
  });
}

/** Money in major units, not negative. That it has no more decimals than its currency is the owner's rule. */
export function Amount(options: FieldOptions & { signed?: boolean } = {}): PropertyDecorator {
  const bound = Math.floor(2 ** 53 / 1000);
  return Decimal({ ...options, min: options.signed === true ? -bound : 0, max: bound });
}

/** A part of one: 0.25 is 25 %. */
export function Fraction(options: FieldOptions = {}): PropertyDecorator {
  return Decimal({ ...options, min: 0, max: 1 });
}

/** An ISO 4217 code, kept in upper case. That it exists is the owner's rule. */
export function Currency(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'text',
    stored: { type: String },
    shown: { type: String, example: 'EUR', pattern: '^[A-Z]{3}$' },
    rules: [
      IsString(),
      Matches(/^[A-Z]{3}$/, { message: '$property must be an ISO 4217 code of three letters' }),
    ],
    read: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    options,
  });
}

/** An instant: integer milliseconds (or seconds, below 1e11) in requests, a Date inside. */
export function Instant(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'instant',
    stored: { type: Date },
    shown: { type: 'integer', format: 'int64', example: 1706659200000 },
    rules: [
      ValidateBy({
        name: 'isInstant',
        validator: {
          validate: (value) => value instanceof Date,
          defaultMessage: () =>
            `$property must be an integer count of milliseconds since 1970, not negative and at most ${String(MAX_INSTANT_MS)}`,
        },
      }),
    ],
    read: (value) => (value instanceof Date ? value : (readInstant(value) ?? value)),
    options,
  });
}

/** A reference to another record: 24 hexadecimal digits in requests. */
export function Ref(to: string, options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'id',
    stored: { type: Schema.Types.ObjectId },
    shown: { type: String, pattern: '^[0-9a-f]{24}$', description: `id of a ${to}` },
    rules: [
      ValidateBy({
        name: 'isId',
        validator: {
          validate: (value) => value instanceof Types.ObjectId,
          defaultMessage: () => `$property must be the id of a ${to}: 24 hexadecimal digits`,
        },
      }),
    ],
    read: readId,
    options,
  });
}

function readId(value: unknown): unknown {
  return typeof value === 'string' ? (parseId(value) ?? value) : value;
}

/**
 * JSON of the caller's own shape, an object or a list; see FreeJson for what protects it. Only records and bodies
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

/** A nested value with fields of its own. */
export function Nested(type: () => FieldedClass, options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'nested',
    stored: { type: Schema.Types.Mixed },
    shown: { type: type as () => new () => object },
    // Without IsObject a list of such values would pass for one.
    rules: [IsObject({ message: '$property must be an object' }), ValidateNested()],
    type,
    options,
  });
}

/** A list of nested values. */
export function ListOf(
  type: () => FieldedClass,
  options: FieldOptions & { min?: number; max?: number } = {},
): PropertyDecorator {
  const { min = 0, max = 1000 } = options;
  return field({
    kind: 'list',
    stored: { type: [Schema.Types.Mixed] },
    shown: { type: type as () => new () => object, isArray: true, minItems: min, maxItems: max },
    rules: [
      IsArray(),
      ArrayMinSize(min),
      ArrayMaxSize(max),
      IsObject({ each: true, message: 'each value in $property must be an object' }),
      ValidateNested({ each: true }),
    ],
    type,
    options,
  });
}

/** A list of short texts. */
export function Texts(options: FieldOptions & { max?: number; length?: number } = {}): PropertyDecorator {
  const { max = 100, length = 64 } = options;
  return field({
    kind: 'list',
    stored: { type: [String] },
    shown: { type: String, isArray: true, maxItems: max },
    rules: [
      IsArray(),
      ArrayMaxSize(max),
      IsString({ each: true }),
      Storable(true),
      MaxLength(length, { each: true }),
    ],
    options,
  });
}

/** A list of numbers. */
export function Numbers(options: FieldOptions & { min?: number; max?: number } = {}): PropertyDecorator {
  const { min = 0, max = 100 } = options;
  return field({
    kind: 'list',
    stored: { type: [Number] },
    shown: { type: Number, isArray: true, minItems: min, maxItems: max },
    rules: [
      IsArray(),
      ArrayMinSize(min),
      ArrayMaxSize(max),
      IsNumber({ allowInfinity: false, allowNaN: false }, { each: true }),
    ],
    options,
  });
}

/** A list of references. */
export function Refs(to: string, options: FieldOptions & { max?: number } = {}): PropertyDecorator {
  const { max = 1000 } = options;
  return field({
    kind: 'ids',
    stored: { type: [Schema.Types.ObjectId] },
    shown: { type: String, isArray: true, maxItems: max, description: `ids of ${to}s` },
    rules: [
      IsArray(),
      ArrayMaxSize(max),
      ValidateBy(
        {
          name: 'isId',
          validator: {
            validate: (value) => value instanceof Types.ObjectId,
            defaultMessage: () => `each value in $property must be the id of a ${to}: 24 hexadecimal digits`,
          },
        },
        { each: true },
      ),
    ],
    read: (value) => (Array.isArray(value) ? value.map(readId) : value),
    options,
  });
}

/** A value that the service itself writes and shows as it is; never part of a body. */
export function Written(options: FieldOptions & { example?: unknown } = {}): PropertyDecorator {
  return field({
    kind: 'raw',
    stored: { type: Schema.Types.Mixed },
    shown: { type: Object },
    rules: [],
    options,
  });
}
