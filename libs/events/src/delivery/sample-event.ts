import type { EventKind } from '@commerce/kernel';
import { type EventContent } from '@commerce/data';
import { newId, parseId, recordTypeOf, renderObject, sampleRecord, type Id } from '@commerce/records';

/** A made-up event of a kind, about a record like those that real events of this kind show. */
export function sampleEvent(kind: EventKind, company: Id, created: Date): EventContent {
  const object_type = kind.slice(0, kind.indexOf('.'));
  const object = sampleObject(object_type, kind, company, created);
  const object_id = parseId(String(object['_id'])) ?? newId();
  return { company, kind, object_type, object_id, object, previous_data: {}, created, sequence: 1 };
}

function sampleObject(noun: string, kind: EventKind, company: Id, now: Date): Record<string, unknown> {
  const type = recordTypeOf(noun);
  if (type === null) throw new Error(`events of the kind ${kind} are about no record of this process`);
  return renderObject(sampleRecord(type, company, kind, now));
}
