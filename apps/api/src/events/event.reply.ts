import { EVENT_KINDS } from '@commerce/kernel';
import { Choice, Decimal, Integer, Text, Written } from '@commerce/records';

const ID = /^[0-9a-f]{24}$/;

/** An event as webhooks receive it: ids are plain strings, and dates plain integers. */
export class EventReply {
  @Text({
    pattern: ID,
    example: '65b9a1c2d3e4f50617283941',
    description: 'identifier; repeated deliveries of an event carry the same',
  })
  id: string;

  @Text({ description: 'the kind of record that it is about', example: 'subscription' })
  object_type: string;

  @Written({
    description: 'the previous values of the fields that changed',
    schema: { type: 'object', additionalProperties: true },
    example: { status: 'CREATED' },
  })
  previous_data: object;

  @Choice(EVENT_KINDS, { fold: 'lower', description: 'what happened' })
  kind: string;

  @Written({
    description: 'the record as it was after the change',
    schema: { type: 'object', additionalProperties: true },
  })
  object: object;

  @Decimal({ description: 'milliseconds since 1970, UTC', example: 1706659200000 })
  created: number;

  @Integer({ description: '1, 2, 3… for each object' })
  sequence: number;
}
