import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { untilNoneLeft } from '../measure/pausing.js';

const { ObjectId } = mongoose.mongo;

/** One webhook for each, so that an event has one delivery. */
export const KINDS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'order.created',
  'order.updated',
  'order.cancelled',
  'subscription.created',
  'subscription.updated',
  'payment.created',
  'payment.succeeded',
] as const;

type EventRow = mongo.WithId<mongo.Document> & { readonly kind: string; readonly created: Date };

/** An event and its delivery as the service writes them, to be copied. */
export interface Pattern {
  /** Without its position in the log, which each copy gets in its own way. */
  readonly event: mongo.Document;
  /** The event's body as JSON, without its id. */
  readonly bodyWithoutId: string;
  readonly delivery: mongo.Document;
  /** Rows by kind of event. */
  readonly webhooks: ReadonlyMap<string, mongo.WithId<mongo.Document>>;
}

/** Makes a user and takes the rows that come of it, once they are all recorded. */
export async function makePattern(
  { admin, db }: BenchContext,
  untilRecorded: () => Promise<void>,
): Promise<Pattern> {
  const user = idIn(await admin.made('/users', { name: 'Ada Lovelace', email: 'ada@example.com' }));
  const made = (): Promise<number> => db.collection('deliveries').countDocuments();
  await untilNoneLeft('deliveries to be made', async () => ((await made()) > 0 ? 0 : 1));
  await untilRecorded();
  const ofUser = { object_id: new ObjectId(user) };
  const event = await db.collection('events').findOne(ofUser, { projection: { position: 0 } });
  const delivery = await db.collection('deliveries').findOne({ event: event?._id });
  if (event === null || delivery === null) throw new Error('the event of a new user was not delivered');
  const webhooks = await db.collection('webhooks').find().toArray();
  return {
    event,
    bodyWithoutId: JSON.stringify({ ...bodyOf(event), id: undefined }),
    delivery,
    webhooks: new Map(webhooks.map((webhook) => [String(webhook['event_type']), webhook])),
  };
}

/** Events like the pattern's, of each kind in turn; `state` is where each of them is on its way. */
export function newEvents(
  { event }: Pattern,
  count: number,
  state: (index: number) => mongo.Document,
): EventRow[] {
  return Array.from({ length: count }, (_row, index) => {
    const _id = new ObjectId();
    const kind = KINDS[index % KINDS.length] ?? KINDS[0];
    const body = JSON.stringify({ ...bodyOf(event), id: _id.toHexString(), kind });
    const own = { _id, kind, object_id: new ObjectId(), created: new Date(), body };
    return { ...event, ...own, ...state(index) };
  });
}

/** The deliveries of these events, due and not yet tried. */
export function newDeliveries(
  { delivery, webhooks }: Pattern,
  events: readonly EventRow[],
): mongo.Document[] {
  const fresh = { status: 'PENDING', attempts: [], attempt: 0, recorded: 0, generation: 0 };
  return events.map(({ _id: event, kind, created }) => {
    const webhook = webhooks.get(kind);
    const own = { _id: new ObjectId(), event, event_type: kind, next_attempt: created };
    return {
      ...delivery,
      ...fresh,
      ...own,
      webhook: webhook?._id,
      endpoint: webhook?.['endpoint'] as unknown,
    };
  });
}

function bodyOf(event: mongo.Document): Record<string, unknown> {
  return JSON.parse(String(event['body'])) as Record<string, unknown>;
}
