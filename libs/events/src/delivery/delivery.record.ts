import { ANY_DATE } from '@commerce/data';
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
} from '@commerce/records';

export const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'EXHAUSTED', 'DROPPED'] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** One attempt to send a delivery. */
export class DeliveryAttempt {
  @Integer({ description: '1 is the first' })
  number: number;

  @Instant({ description: 'when it was made' })
  at: Date;

  @Integer({ optional: true, description: 'the HTTP status of the reply, if there was one' })
  status: number | null;

  @Text({ optional: true, description: 'why there was no reply' })
  error: string | null;

  @Integer({ description: 'rounded up to 10, 20, 50, 100 and so on' })
  duration_ms: number;

  @LongText({ optional: true, description: 'the first 2 KiB of the reply' })
  reply: string | null;
}

/** One event that is sent to one webhook. */
@RecordOf({
  collection: 'deliveries',
  noun: 'delivery',
  cls: 'Delivery',
  touched: 'updated',
  list: { within: ['webhook'], sorts: ['created'], by: { status: ['created'] } },
  indexes: [
    { fields: { company: 1, event: 1, webhook: 1 }, options: { unique: true } },
    // For the sweep: what is due, overall and by webhook. Finished deliveries are in neither index.
    { fields: { next_attempt: 1 }, options: { partialFilterExpression: { next_attempt: ANY_DATE } } },
    {
      fields: { webhook: 1, next_attempt: 1 },
      options: { partialFilterExpression: { next_attempt: ANY_DATE } },
    },
  ],
})
export class DeliveryRecord extends OwnedRecord {
  @Ref('webhook')
  webhook: Id;

  @Ref('event')
  event: Id;

  @Text({ description: 'kind of the event' })
  event_type: string;

  @LongText({ description: 'the endpoint of the webhook at the time of the event' })
  endpoint: string;

  @Choice(DELIVERY_STATUSES, {
    default: 'PENDING',
    description: 'EXHAUSTED when no attempt is left, DROPPED when it may no longer be sent',
  })
  status: DeliveryStatus;

  @Text({ optional: true, description: 'why it ended' })
  reason: string | null;

  @ListOf(() => DeliveryAttempt, { description: 'its newest attempts, the oldest first' })
  attempts: DeliveryAttempt[];

  /**
   * When it is due. While an attempt is running this is the end of its lease, at which the attempt counts as lost: one
   * index finds both.
   */
  @Instant({ optional: true, description: 'when the next attempt is due' })
  next_attempt: Date | null;

  /** The number of attempts so far. An attempt counts from its lease. */
  @Integer({ hidden: true, default: 0 })
  attempt: number;

  /** How many of them have been recorded in `attempts`, including those no longer kept; fewer after a crash. */
  @Integer({ hidden: true, default: 0 })
  recorded: number;

  /** The number of attempts before the current round; a replay starts a new one. */
  @Integer({ hidden: true, default: 0 })
  round_start: number;

  /** The last attempt that may be made, if an operator asked for a single one; else the retry delays decide. */
  @Integer({ hidden: true, optional: true })
  last_attempt: number | null;

  /** Raised by every change. A write that names another generation than the row's came too late. */
  @Integer({ hidden: true, default: 0 })
  generation: number;

  /** The name of the lease: which worker made it, and which of its leases it was. */
  @Text({ hidden: true, optional: true })
  claimed_by: string | null;

  @Instant({ last: true })
  updated: Date;
}

/**
 * A new delivery as the database stores it. A delivery is written three times, and each time every field costs: those
 * that are null, and those of the unit of work, are left out and read back as null.
 */
export function deliveryRow(delivery: DeliveryRecord): Record<string, unknown> {
  const row = dehydrate(delivery);
  delete row['sys'];
  for (const name of Object.keys(row)) if (row[name] === null) Reflect.deleteProperty(row, name);
  return row;
}
