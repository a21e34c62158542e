import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsNumber,
  IsObject,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { Schema, Types } from 'mongoose';

import { withArticle } from './article.js';
import { field, type FieldOptions } from './field.js';
import type { FieldedClass } from './fields.js';
import { Storable } from './text-fields.js';
import { readId } from './value-fields.js';

/** A nested value with fields of its own. */
export function Nested(type: () => FieldedClass, options: FieldOptions = {}): PropertyDecorator {
  return field({
    kind: 'nested',
    stored: { type: Schema.Types.Mixed },
    shown: { type: type },
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
    shown: { type: type, isArray: true, minItems: min, maxItems: max },
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
            defaultMessage: () =>
              `each value in $property must be the id of ${withArticle(to)}: 24 hexadecimal digits`,
          },
        },
        { each: true },
      ),
    ],
    read: (value) => (Array.isArray(value) ? value.map(readId) : value),
    options,
  });
}
