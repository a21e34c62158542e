import { randomBytes } from 'node:crypto';

import { SchemaFactory, Schema as SchemaOf } from '@nestjs/mongoose';
import { readableId, type EventKind } from '@commerce/kernel';
import type { IndexDefinition, IndexOptions, Schema } from 'mongoose';

import { openField, sealField } from '@commerce/platform';
import { defaultOf, fieldsOf, type FieldInfo } from '../fields/fields.js';
import { FreeJson } from '../fields/free-json.js';
import { pack, unpack } from '../fields/packed.js';
import { newId, type Id } from '../fields/id.js';
import { listIndexes, type ListRules } from './list-index.js';
import { BY_COMPANY, type Sharding } from './sharding.js';
import { Text } from '../fields/text-fields.js';
import { Instant, Ref, Written } from '../fields/value-fields.js';

/** The bytes for which a record counts in the usage of its user: its own, and those stored beside it. */
export interface CountedSize {
  readonly own: number;
  readonly beside: number;
}

/** Internal state of every record; never shown. */
export interface RecordState {
  /** Incremented with every write; an update names the version it read, so that no write is lost. */
  version: number;
  /** Number of events that the record has sent; the next one carries this plus one. */
  events: number;
  /** Absent where the record does not count. */
  counted?: CountedSize;
}

/** A record that a company owns. Its class is the single definition of its fields. */
export abstract class OwnedRecord {
  @Ref('record', { description: 'identifier' })
  _id: Id;

  @Ref('company', { description: 'the owner' })
  company: Id;

  @Text({ description: 'the kind of record' })
  _cls: string;

  @Written({ hidden: true })
  sys: RecordState;

  @Instant({ last: true })
  created: Date;
}

export interface RecordIndex {
  readonly fields: IndexDefinition;
  readonly options?: IndexOptions;
  /** The fault when a write would break this unique index, and the field it names. */
  readonly taken?: { readonly code: string; readonly path: string; readonly message: string };
}

export interface RecordOptions {
  /** The collection in MongoDB. */
  readonly collection: string;
  /** The word in fault codes, event kinds and `object_type`: `payment_method`. */
  readonly noun: string;
  /** The type discriminator, `_cls`. */
  readonly cls: string;
  /** The name of the modification date. */
  readonly touched: 'updated' | 'modified';
  /** The name of the deletion flag. */
  readonly deleted?: 'deleted' | 'delete';
  /** Sorts and filters of lists; each combination has an index. */
  readonly list?: ListRules;
  /** Indexes for everything else. */
  readonly indexes?: readonly RecordIndex[];
  /** How a sharded MongoDB distributes the records: by company, unless declared; null: they stay on one shard. */
  readonly sharding?: Sharding | null;
  /** The field that names the record's user; without one it belongs to every caller of the company. */
  readonly owner?: 'user' | '_id';
  /**
   * Present where records that users create count in their quota: the fields that users may fill, whose growth counts,
   * too; that of a record without an owner counts like a log.
   */
  readonly counted?: readonly string[];
  /** Whether the audit log holds changes by users, too: for records that send no events. */
  readonly auditsUsers?: boolean;
  /** Values that make a sample of the record realistic; see `sampleRecord`. */
  readonly sample?: (kind: EventKind, now: Date) => object;
}

export interface FindOptions {
  /** Deleted records are found only on request. */
  readonly deleted?: boolean;
}

export type RecordType<R extends OwnedRecord = OwnedRecord> = new () => R;

const known = new Map<RecordType, RecordOptions>();

/** Declares the class of one record: its collection, its words and its indexes. */
export function RecordOf(options: RecordOptions): ClassDecorator {
  return (target) => {
    const type = target as unknown as RecordType;
    known.set(type, options);
    SchemaOf({
      collection: options.collection,
      versionKey: false,
      autoIndex: false,
      autoCreate: false,
      minimize: false,
      id: false,
      strictQuery: 'throw',
      bufferCommands: false,
    })(target);
  };
}

/** Whether a class is declared with `@RecordOf`. */
export function isRecord(type: unknown): type is RecordType {
  return known.has(type as RecordType);
}

export function optionsOf(type: RecordType): RecordOptions {
  const options = known.get(type);
  if (!options) throw new Error(`${type.name} is not declared with @RecordOf`);
  return options;
}

/** The record type stored in this collection; null if there is none. */
export function recordTypeIn(collection: string): RecordType | null {
  for (const [type, options] of known) if (options.collection === collection) return type;
  return null;
}

/** The record type with this noun in fault codes and event kinds; null if there is none. */
export function recordTypeOf(noun: string): RecordType | null {
  for (const [type, options] of known) if (options.noun === noun) return type;
  return null;
}

/** The types whose records count in the quota of their users. */
export function countedTypes(): RecordType[] {
  return [...known].flatMap(([type, { counted, owner }]) =>
    counted === undefined || owner === undefined ? [] : [type],
  );
}

/** The Mongoose schema of a record, with its indexes. */
export function schemaOf(type: RecordType): Schema {
  for (const field of fieldsOf(type)) {
    // Only the fields of a record itself are converted to text and back.
    if (field.type !== null && fieldsOf(field.type()).some((nested) => nested.kind === 'json'))
      throw new Error(`${type.name}.${field.name}: free JSON cannot be nested in another value`);
  }
  const schema = SchemaFactory.createForClass(type);
  for (const index of indexesOf(type)) schema.index(index.fields, { ...index.options });
  return schema;
}

/** All indexes of a record but that of `_id`: those that it declares, and those of its lists. */
export function indexesOf(type: RecordType): RecordIndex[] {
  const { indexes = [], list } = optionsOf(type);
  const kinds = new Map(fieldsOf(type).map(({ name, kind }) => [name, kind]));
  const lists = (list === undefined ? [] : listIndexes(list)).map(({ equal, sort }): RecordIndex => {
    // Read in both directions. Dates are usually read from the newest.
    const direction = kinds.get(sort) === 'instant' ? -1 : 1;
    const fixed = ['company', ...equal].map((field) => [field, 1] as const);
    return { fields: Object.fromEntries([...fixed, [sort, direction], ['_id', direction]]) };
  });
  return [...indexes, ...lists];
}

/** The name that the database gives an index, and the index's fields. */
export function namedIndex({ fields, options }: RecordIndex): { name: string; fields: string[] } {
  const entries = Object.entries(fields);
  const name = options?.name ?? entries.map(([field, kind]) => `${field}_${String(kind)}`).join('_');
  return { name, fields: entries.map(([field]) => field) };
}

/** How a sharded MongoDB distributes a record's collection; null where it stays on one shard. */
export function shardingOf(type: RecordType): Sharding | null {
  const { sharding = BY_COMPANY } = optionsOf(type);
  return sharding;
}

/** The fields by which lists of a record may be sorted. */
export function sortsOf(type: RecordType): readonly string[] {
  return optionsOf(type).list?.sorts ?? [];
}

/** The values of a new record: at least its company; omitted ones get their defaults. */
export type NewValues<R extends OwnedRecord> = Partial<Omit<R, 'sys' | 'created' | '_cls'>> & { company: Id };

/** A new record of a company: the given values, defaults for the rest, a fresh id and `human_id`. */
export function makeRecord<R extends OwnedRecord>(type: RecordType<R>, values: NewValues<R>, now: Date): R {
  const { cls, touched } = optionsOf(type);
  const record = new type() as R & Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    const given = (values as Record<string, unknown>)[field.name];
    (record as Record<string, unknown>)[field.name] =
      given === undefined ? made(field.name, defaultOf(field, values)) : given;
  }
  const written = record as Record<string, unknown>;
  written['_id'] ??= newId();
  written['_cls'] = cls;
  written['created'] = now;
  written[touched] = now;
  written['sys'] = { version: 1, events: 0 } satisfies RecordState;
  return record;
}

function made(name: string, value: unknown): unknown {
  return name === 'human_id' && value === null ? readableId(randomBytes) : value;
}

/** A copy of a record in which some values replace its own, for display. It must never be stored. */
export function copyWith<R extends OwnedRecord>(record: R, values: Partial<R>): R {
  return Object.assign(Object.create(Object.getPrototypeOf(record) as object) as R, record, values);
}

/** Whether a record is deleted; always false where its kind has no such flag. */
export function isDeleted<R extends OwnedRecord>(type: RecordType<R>, record: R): boolean {
  const flag = optionsOf(type).deleted;
  return flag !== undefined && (record as unknown as Record<string, unknown>)[flag] === true;
}

/** Converts a document of the database to its record, in place. */
export function hydrate<R extends OwnedRecord>(type: RecordType<R>, document: object): R {
  const values = fill(type, fieldsOf(type), document);
  return Object.setPrototypeOf(values, type.prototype as object) as R;
}

/** Converts documents of which only these fields were read, in place. */
export function partHydrator<R extends OwnedRecord, K extends keyof R>(
  type: RecordType<R>,
  names: readonly K[],
): (document: object) => Pick<R, K> {
  const fields = fieldsOf(type).filter(({ name }) => (names as readonly string[]).includes(name));
  return (document) => fill(type, fields, document) as Pick<R, K>;
}

function fill(type: RecordType, fields: readonly FieldInfo[], document: object): object {
  const values = document as Record<string, unknown>;
  for (const field of fields) {
    const value = field.packed ? unpack(values[field.name]) : values[field.name];
    if (value === undefined) values[field.name] = defaultOf(field, values);
    else if (field.kind === 'json' && typeof value === 'string') values[field.name] = FreeJson.stored(value);
    else if (field.sealed && typeof value === 'string')
      values[field.name] = openField(value, [optionsOf(type).collection, String(values['_id']), field.name]);
    else if (field.packed) values[field.name] = value;
  }
  return values;
}

/** A field of a record that is sealed in the database. */
export interface SealedField {
  readonly collection: string;
  readonly field: string;
}

/** Every field that a record declares as sealed. */
export function sealedFields(): SealedField[] {
  return [...known].flatMap(([type, { collection }]) =>
    fieldsOf(type)
      .filter(({ sealed: isSecret }) => isSecret)
      .map(({ name }) => ({ collection, field: name })),
  );
}

/** The values of a record, or of a part of it, as stored: secrets are sealed, and large values packed. */
export function sealed(type: RecordType, id: Id, values: object): Record<string, unknown> {
  const document = dehydrate(values);
  for (const { name, sealed: isSecret, packed } of fieldsOf(type)) {
    const value = document[name];
    if (isSecret && typeof value === 'string')
      document[name] = sealField(value, [optionsOf(type).collection, id.toHexString(), name]);
    else if (packed && value !== undefined) document[name] = pack(value);
  }
  return document;
}

/** The values of a record without secrets, or of a part of it, as stored. */
export function dehydrate(values: object): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) document[key] = value instanceof FreeJson ? value.text : value;
  }
  return document;
}
