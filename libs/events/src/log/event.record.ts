import type { EventKind } from '@commerce/kernel';
import { Integer, OwnedRecord, RecordOf, Ref, Text, Written, type Id } from '@commerce/platform';

/**
 * An event as it stands in the company's log. The unit of work writes it, without a position, in the commit that it
 * tells of; the relay gives it its place.
 */
@RecordOf({
  collection: 'events',
  noun: 'event',
  cls: 'Event',
  touched: 'updated',
  indexes: [
    { fields: { company: 1, position: 1, _id: 1 } },
    { fields: { company: 1, kind: 1, position: 1, _id: 1 } },
    { fields: { company: 1, object_id: 1, sequence: 1 } },
  ],
})
export class EventRecord extends OwnedRecord {
  @Text()
  kind: EventKind;

  @Text()
  object_type: string;

  @Ref('record')
  object_id: Id;

  @Integer({ description: '1, 2, 3… for each object' })
  sequence: number;

  @Text({ hidden: true })
  body: string;

  /**
   * Its page of the company's log, within which events follow each other by id. Null until the relay gave it one,
   * and always for a simulated one.
   */
  @Integer({ hidden: true, optional: true })
  position: number | null;

  @Written({ hidden: true })
  pending: true | null;
}
