import { applyDecorators } from '@nestjs/common';
import { Prop, type PropOptions } from '@nestjs/mongoose';
import { Transform, Type } from 'class-transformer';
import { ValidateIf } from 'class-validator';

import { addField, type FieldKind, type FieldedClass } from './fields.js';

/** Options of every field decorator. */
export interface FieldOptions {
  /** The field may be left out of a body, or be null. */
  optional?: boolean;
  /** May be left out of a body, but the service then fills it in: no record is without it. */
  filled?: boolean;
  /** The value when it is left out; a function is called each time. Implies that it may be left out. */
  default?: unknown;
  /** Never shown. */
  hidden?: boolean;
  /** A secret: sealed in the database, plain in the record. Goes with hidden. */
  sealed?: boolean;
  /** Shown after the fields of the subclass. */
  last?: boolean;
  description?: string;
  example?: unknown;
}

/** One kind of field: how it is stored, documented, checked and read. */
export interface FieldSpec {
  kind: FieldKind;
  stored: PropOptions;
  /** What JSON schema says of it, `type` as a class of JavaScript or a word. */
  shown: Readonly<Record<string, unknown>>;
  rules: readonly PropertyDecorator[];
  type?: () => FieldedClass;
  read?: (value: unknown) => unknown;
  shape?: 'object' | 'list';
  /** The JSON schema of what is shown, for values that no rules describe. */
  schema?: Readonly<Record<string, unknown>>;
  options: FieldOptions;
}

/** Makes the decorator of one kind of field: the Mongoose property, the rules, the reading and the document in one. */
export function field({
  kind,
  stored,
  shown,
  rules,
  type,
  read,
  shape,
  schema,
  options,
}: FieldSpec): PropertyDecorator {
  const nullable = options.optional === true || options.filled === true;
  const optional = nullable || 'default' in options;
  const document = given({
    ...shown,
    required: !optional,
    nullable: nullable ? true : undefined,
    description: options.description ?? shown['description'],
    example: options.example ?? shown['example'],
    default: typeof options.default === 'function' ? undefined : options.default,
  });
  const decorators = [
    Prop(stored),
    ...presence(nullable, optional),
    ...rules,
    ...steps(read, type),
    (target: object, name: string | symbol) =>
      addField(target, {
        name: String(name),
        kind,
        hidden: options.hidden === true,
        sealed: options.sealed === true,
        filled: options.filled === true,
        last: options.last === true,
        default: options.default,
        type: type ?? null,
        read: read ?? null,
        shape: shape ?? null,
        document,
        schema: schema ?? null,
      }),
  ];
  return applyDecorators(...decorators);
}

function given(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** When the rules apply: not to what may be left out and is, nor to null where a field may be null. */
function presence(nullable: boolean, optional: boolean): PropertyDecorator[] {
  if (nullable) return [ValidateIf((_body, value) => value !== undefined && value !== null)];
  return optional ? [ValidateIf((_body, value) => value !== undefined)] : [];
}

/** The same reading as class-transformer's own steps, so that `plainToInstance` reads a value as bodies do. */
function steps(read: FieldSpec['read'], type: FieldSpec['type']): PropertyDecorator[] {
  const reading = ({ value }: { value: unknown }): unknown =>
    value === undefined || value === null || read === undefined ? value : read(value);
  return [
    ...(read === undefined ? [] : [Transform(reading, { toClassOnly: true })]),
    ...(type === undefined ? [] : [Type(type)]),
  ];
}
