import { IsInt, IsNumber, Max, Min } from 'class-validator';

import { field, type FieldOptions } from './field.js';

/** Normalizes -0, which would be shown as 0 but compare as another value. */
function withoutNegativeZero(value: unknown): unknown {
  return value === 0 ? 0 : value;
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

/** Money in major units, not negative. Its owner checks that it has no more decimals than its currency. */
export function Amount(options: FieldOptions & { signed?: boolean } = {}): PropertyDecorator {
  const bound = Math.floor(2 ** 53 / 1000);
  return Decimal({ ...options, min: options.signed === true ? -bound : 0, max: bound });
}

/** A fraction from 0 to 1: 0.25 is 25 %. */
export function Fraction(options: FieldOptions = {}): PropertyDecorator {
  return Decimal({ ...options, min: 0, max: 1 });
}
