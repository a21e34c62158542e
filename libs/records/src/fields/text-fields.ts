import { IsEmail, IsIn, IsString, Matches, MaxLength, MinLength, ValidateBy } from 'class-validator';

import { field, type FieldOptions } from './field.js';
import { isStorable } from './storable.js';

export function Storable(each = false): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorable',
      validator: {
        validate: (value) => typeof value !== 'string' || isStorable(value),
        defaultMessage: () => '$property must not contain NUL or half of a surrogate pair',
      },
    },
    { each },
  );
}

/** Text of at most 256 characters, or `max`. */
export function Text(
  options: FieldOptions & { min?: number; max?: number; pattern?: RegExp } = {},
): PropertyDecorator {
  const { min, max = 256, pattern } = options;
  return field({
    kind: 'text',
    stored: { type: String },
    shown: {
      type: String,
      maxLength: max,
      ...(min === undefined ? {} : { minLength: min }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
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
    shown: { type: String, format: 'email', maxLength: 254 },
    rules: [IsString(), MaxLength(254), IsEmail()],
    options,
  });
}

/**
 * One of a few words, read in upper and lower case; `fold` is the case in which it is kept (default upper). `unlisted`
 * words are accepted, but omitted from documents.
 */
export function Choice(
  values: readonly string[],
  options: FieldOptions & { fold?: 'upper' | 'lower' | 'none'; unlisted?: readonly string[] } = {},
): PropertyDecorator {
  const { fold = 'upper', unlisted = [] } = options;
  const offered = values.filter((value) => !unlisted.includes(value));
  const folded = (value: unknown): unknown => {
    if (typeof value !== 'string' || fold === 'none') return value;
    return fold === 'upper' ? value.toUpperCase() : value.toLowerCase();
  };
  return field({
    kind: 'choice',
    stored: { type: String },
    shown: { type: String, enum: [...values], ...(unlisted.length === 0 ? {} : { offered }) },
    rules: [IsIn([...values])],
    read: folded,
    options,
  });
}

/** An ISO 4217 code, kept in upper case. Its owner checks that it exists. */
export function Currency(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'text',
    stored: { type: String },
    shown: { type: String, example: 'EUR', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code' },
    rules: [
      IsString(),
      Matches(/^[A-Z]{3}$/, { message: '$property must be an ISO 4217 code of three letters' }),
    ],
    read: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    options,
  });
}
