import type { EventKind } from '@commerce/kernel';
import { Integer, OwnedRecord, RecordOf, Ref, Text, Written, type Id } from '@commerce/records';

/**
 * An event of a company. The unit of work writes it in the same commit as the change it reports; later the relay
 * gives it its position in the company's log.
 */
@RecordOf({
  collection: 'events',
  noun: 'event',
  cls: 'Event',
  touched: 'updated',
  indexes: [
    { fields: { company: 1, position: 1, _id: 1 } },
    { fields: { company: 1, kind: 1, position: 1, _id: 1 } },
    { fields: { company: 1, object_id: 1, position: 1, _id: 1 } },
    {
      fields: { pending: 1, company: 1, _id: 1 },
      options: { name: 'pending', partialFilterExpression: { pending: true } },
    },
  ],
})
export class EventRecord extends OwnedRecord {
  @Text()
  kind: EventKind;

  @Text()
  object_type: string;

  @Ref('record')
  object_id: Id;

  @Integer({ description: 'counts the events of one object: 1, 2, 3…' })
  sequence: number;

  @Text({ hidden: true, sealed: true, packed: true })
  body: string;

  /**
   * The page of the company's log that holds it; within a page, events are in the order of their ids. Null until the
   * relay has set it, and for ever in simulated events.
   */
  @Integer({ hidden: true, optional: true })
  position: number | null;

  @Written({ hidden: true })
  pending: true | null;
}
