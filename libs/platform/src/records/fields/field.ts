import { applyDecorators } from '@nestjs/common';
import { Prop, type PropOptions } from '@nestjs/mongoose';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
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
  /** Kept for queries only and never read back, so that a large one costs readers nothing. Goes with hidden. */
  unread?: boolean;
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
  shown: ApiPropertyOptions;
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
  const document: Record<string, unknown> = {
    ...shown,
    required: !optional,
    ...(nullable ? { nullable: true } : {}),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.example === undefined ? {} : { example: options.example }),
    ...('default' in options && typeof options.default !== 'function' ? { default: options.default } : {}),
  };
  const decorators = [
    Prop(stored),
    ...presence(nullable, optional),
    ...rules,
    ...steps(read, type),
    ...(options.hidden === true ? [] : [ApiProperty(document)]),
    (target: object, name: string | symbol) =>
      addField(target, {
        name: String(name),
        kind,
        hidden: options.hidden === true,
        unread: options.unread === true,
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
