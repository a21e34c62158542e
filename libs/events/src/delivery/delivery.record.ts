import {
  Choice,
  Instant,
  Integer,
  ListOf,
  LongText,
  OwnedRecord,
  RecordOf,
  Ref,
  Text,
  dehydrate,
  type Id,
} from '@commerce/platform';

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'DROPPED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to deliver. */
export class DeliveryAttempt {
  @Integer({ description: '1 is the first' })
  number: number;

  @Instant()
  at: Date;

  @Integer({ optional: true, description: 'the HTTP status of the answer, when there was one' })
  status: number | null;

  @Text({ optional: true, description: 'why there was no answer' })
  error: string | null;

  @Integer({ description: 'rounded up to 10, 20, 50, 100 and so on' })
  duration_ms: number;

  @LongText({ optional: true, description: 'the first 2 KiB of the answer' })
  reply: string | null;
}

/** What one webhook is owed of one event. */
@RecordOf({
  collection: 'deliveries',
  noun: 'delivery',
  cls: 'Delivery',
  touched: 'updated',
  indexes: [
    { fields: { event: 1, webhook: 1 }, options: { unique: true } },
    { fields: { company: 1, webhook: 1, created: -1 } },
    // What is due, at all and by webhook, for the sweep; finished deliveries are not in these.
    { fields: { next_attempt: 1 }, options: { partialFilterExpression: { status: 'PENDING' } } },
    { fields: { webhook: 1, next_attempt: 1 }, options: { partialFilterExpression: { status: 'PENDING' } } },
  ],
})
export class DeliveryRecord extends OwnedRecord {
  @Ref('webhook')
  webhook: Id;

  @Ref('event')
  event: Id;

  @Text({ description: 'kind of the event' })
  event_type: string;

  @LongText({ description: 'where it goes: the endpoint at the time of the event' })
  endpoint: string;

  @Choice(DELIVERY_STATUSES, {
    default: 'PENDING',
    description: 'EXHAUSTED when no attempt is left, DROPPED when the webhook may not get it any more',
  })
  status: DeliveryStatus;

  @Text({ optional: true, description: 'why it ended' })
  reason: string | null;

  @ListOf(() => DeliveryAttempt)
  attempts: DeliveryAttempt[];

  /**
   * When it is due. While an attempt is under way, the time at which that attempt counts as lost: the field is the
   * lease as well, so that one index finds both.
   */
  @Instant({ optional: true, description: 'when the next attempt is due' })
  next_attempt: Date | null;

  /** Attempts counted so far, counted when they are claimed. */
  @Integer({ hidden: true, default: 0 })
  attempt: number;

  /** Attempts written down in `attempts` so far, also those no longer kept; fewer than counted after a crash. */
  @Integer({ hidden: true, default: 0 })
  recorded: number;

  /** Attempts before the present round; a replay begins a new one. */
  @Integer({ hidden: true, default: 0 })
  round_start: number;

  /** The last attempt that may be made, when an operator asked for a single one; else the configured waits decide. */
  @Integer({ hidden: true, optional: true })
  last_attempt: number | null;

  /** Raised by every change; a change that names another generation than the row's comes too late. */
  @Integer({ hidden: true, default: 0 })
  generation: number;

  /** Who claimed it, and in which turn. */
  @Text({ hidden: true, optional: true })
  claimed_by: string | null;

  @Instant({ last: true })
  updated: Date;
}

/**
 * A new delivery as the database keeps it. It is written three times in its life and the database pays for every
 * field each time: what is null, or belongs to the unit of work, is left out and comes back as null.
 */
export function deliveryRow(delivery: DeliveryRecord): Record<string, unknown> {
  const row = dehydrate(delivery);
  delete row['sys'];
  for (const name of Object.keys(row)) if (row[name] === null) Reflect.deleteProperty(row, name);
  return row;
}
