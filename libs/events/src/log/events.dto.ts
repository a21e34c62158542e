import { EVENT_KINDS, UNSENT_EVENT_KINDS, type EventKind } from '@commerce/kernel';
import { Choice, Flag, Ref, unsortedListQuery, type Id } from '@commerce/records';

/** The log has one order, that of its places, and cannot be sorted by anything else. */
export class ListEventsQuery extends unsortedListQuery(['created']) {
  @Choice(EVENT_KINDS, {
    optional: true,
    fold: 'lower',
    unlisted: UNSENT_EVENT_KINDS,
    description: 'events of this kind only',
  })
  kind: EventKind | null;

  @Ref('record', { optional: true, description: 'events about this record only' })
  object: Id | null;

  @Flag({
    default: false,
    description:
      'the newest events instead of the oldest, in the same order; not together with after or page',
  })
  newest: boolean;
}
