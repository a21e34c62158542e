import type { EventKind } from '@commerce/kernel';

import { fieldsOf, type FieldInfo, type FieldedClass } from '../fields/fields.js';
import { newId, type Id } from '../fields/id.js';
import { makeRecord, optionsOf, type OwnedRecord, type RecordType } from './record.js';

/**
 * A made-up record, as an event of this kind would show it. Fields get their default or example or, where required, a
 * value of their kind; `@RecordOf({ sample })` adds realistic values.
 */
export function sampleRecord(type: RecordType, company: Id, kind: EventKind, now: Date): OwnedRecord {
  const { sample, deleted } = optionsOf(type);
  const values = {
    ...sampleValues(type, now),
    ...(deleted !== undefined && kind.endsWith('.deleted') ? { [deleted]: true } : {}),
    ...sample?.(kind, now),
  };
  const names = new Set(fieldsOf(type).map(({ name }) => name));
  const unknown = Object.keys(values).find((name) => !names.has(name));
  if (unknown !== undefined) throw new Error(`the sample of ${type.name} has no field ${unknown}`);
  return makeRecord(type, { ...values, _id: newId(), company }, now);
}

function sampleValues(type: FieldedClass, now: Date): Record<string, unknown> {
  const shown = fieldsOf(type).filter((field) => !field.hidden);
  return Object.fromEntries(shown.map((field) => [field.name, sampleValue(field, now)]));
}

/** Undefined for values that `makeRecord` fills in itself. */
function sampleValue(field: FieldInfo, now: Date): unknown {
  const { example, required, minimum } = field.document;
  const isPlain = field.kind === 'text' || field.kind === 'number' || field.kind === 'flag';
  if (isPlain && example !== undefined) return example;
  if (required !== true) return undefined;
  switch (field.kind) {
    case 'id':
      return newId();
    case 'text':
      return 'sample';
    case 'choice':
      return (field.document['enum'] as readonly string[])[0];
    case 'flag':
      return false;
    case 'number':
      return minimum ?? 0;
    case 'instant':
      return now;
    case 'nested':
      return field.type === null ? {} : sampleValues(field.type(), now);
    case 'raw':
      return {};
    case 'ids':
    case 'list':
    case 'json':
      return undefined;
  }
}
