import { applyDecorators } from '@nestjs/common';
import { Prop, type PropOptions } from '@nestjs/mongoose';
import { Transform, Type } from 'class-transformer';
import { ValidateIf } from 'class-validator';

import { addField, type FieldKind, type FieldedClass } from './fields.js';

/** Options of every field decorator. */
export interface FieldOptions {
  /** The field may be omitted from a body, or be null. */
  optional?: boolean;
  /** May be omitted from a body, but the service then fills it in: every record has it. */
  filled?: boolean;
  /**
   * The value when the field is omitted; a function is called each time, with the stored fields of a record that lacks
   * this one. Implies that it may be omitted.
   */
  default?: unknown;
  /** Never shown. */
  hidden?: boolean;
  /** A secret: sealed in the database, plain in the record. Requires hidden. */
  sealed?: boolean;
  /** Compressed in the database where it is large: no query or index may use its content. */
  packed?: boolean;
  /** Shown after the fields of the subclass. */
  last?: boolean;
  description?: string;
  example?: unknown;
}

/** One kind of field: its storage, documentation, rules and parsing. */
export interface FieldSpec {
  kind: FieldKind;
  stored: PropOptions;
  /** The JSON schema of the field, with `type` as a class of JavaScript or a word. */
  shown: Readonly<Record<string, unknown>>;
  rules: readonly PropertyDecorator[];
  type?: () => FieldedClass;
  read?: (value: unknown) => unknown;
  shape?: 'object' | 'list';
  /** The JSON schema in replies of values that no rules describe. */
  schema?: Readonly<Record<string, unknown>>;
  options: FieldOptions;
}

/**
 * Makes the decorator of one kind of field: the Mongoose property, the rules, the parsing and the documentation in one.
 */
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
        packed: options.packed === true,
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

/** Applies the rules to given values only: not to an omitted optional field, nor to null in a nullable one. */
function presence(nullable: boolean, optional: boolean): PropertyDecorator[] {
  if (nullable) return [ValidateIf((_body, value) => value !== undefined && value !== null)];
  return optional ? [ValidateIf((_body, value) => value !== undefined)] : [];
}

/** The same parsing as steps of class-transformer, so that `plainToInstance` parses a value as bodies do. */
function steps(read: FieldSpec['read'], type: FieldSpec['type']): PropertyDecorator[] {
  const reading = ({ value }: { value: unknown }): unknown =>
    value === undefined || value === null || read === undefined ? value : read(value);
  return [
    ...(read === undefined ? [] : [Transform(reading, { toClassOnly: true })]),
    ...(type === undefined ? [] : [Type(type)]),
  ];
}
