import {
  ArrayMaxSize,
  ArrayMinSize,
  IsEmail,
  IsIn,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateBy,
} from 'class-validator';

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

type Fold = 'upper' | 'lower' | 'none';

/**
 * One of a few words, read in upper and lower case; `fold` is the case in which it is kept (default upper). `unlisted`
 * words are accepted, but omitted from documents.
 */
export function Choice(
  values: readonly string[],
  options: FieldOptions & { fold?: Fold; unlisted?: readonly string[] } = {},
): PropertyDecorator {
  const { fold = 'upper', unlisted = [] } = options;
  const offered = values.filter((value) => !unlisted.includes(value));
  return field({
    kind: 'choice',
    stored: { type: String },
    shown: { type: String, enum: [...values], ...(unlisted.length === 0 ? {} : { offered }) },
    rules: [IsIn([...values])],
    read: (value) => folded(value, fold),
    options,
  });
}

/** A list of such words, of each at least one. An error names the first word that is not among them. */
export function Choices(
  values: readonly string[],
  options: FieldOptions & { fold?: Fold; unlisted?: readonly string[] } = {},
): PropertyDecorator {
  const { fold = 'upper', unlisted = [] } = options;
  const offered = values.filter((value) => !unlisted.includes(value));
  const max = values.length;
  const isKnown = (value: unknown): boolean => values.some((known) => known === value);
  return field({
    kind: 'list',
    stored: { type: [String] },
    shown: { type: String, isArray: true, minItems: 1, maxItems: max, enum: [...values], offered },
    rules: [
      ValidateBy({
        name: 'areAmong',
        validator: {
          validate: (all) => Array.isArray(all) && all.every(isKnown),
          defaultMessage: ({ value: all }: { value?: unknown } = {}) =>
            Array.isArray(all)
              ? `$property.${String(all.findIndex((one) => !isKnown(one)))} must be one of the following values: ${offered.join(', ')}`
              : '$property must be an array',
        },
      }),
      ArrayMinSize(1),
      ArrayMaxSize(max),
    ],
    read: (value) => (Array.isArray(value) ? value.map((one: unknown) => folded(one, fold)) : value),
    options,
  });
}

function folded(value: unknown, fold: Fold): unknown {
  if (typeof value !== 'string' || fold === 'none') return value;
  return fold === 'upper' ? value.toUpperCase() : value.toLowerCase();
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

const REGIONS = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes of two letters that name no country, a part of one, or one of the past. */
const NO_COUNTRIES = new Set(
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH QO RH SU TA TP UK UN VD XA XB YD YU ZR ZZ'.split(' '),
);

/** An ISO 3166-1 code of two letters, kept in upper case. */
export function Country(options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'text',
    stored: { type: String },
    shown: { type: String, example: 'DE', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 code' },
    rules: [
      IsString(),
      ValidateBy({
        name: 'isCountry',
        validator: {
          validate: (value) => typeof value === 'string' && isCountry(value),
          defaultMessage: () => '$property must be an ISO 3166-1 code of two letters',
        },
      }),
    ],
    read: (value) => (typeof value === 'string' ? value.toUpperCase() : value),
    options,
  });
}

function isCountry(code: string): boolean {
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRIES.has(code) && REGIONS.of(code) !== undefined;
}
