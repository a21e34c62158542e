import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { copyOf } from '../measure/collections.js';
import { untilNoneLeft } from '../measure/waiting.js';

const { ObjectId } = mongoose.mongo;

/** One webhook for each, so that an event has one delivery. */
export const KINDS = (
  'user.created user.updated user.deleted order.created order.updated order.cancelled ' +
  'subscription.created subscription.updated payment.created payment.succeeded'
).split(' ');

/** The rows that wait: deliveries that are due, or events that have none yet. */
export type Way = 'due' | 'events';

/** An event and its delivery as the service writes them, to be copied, and the webhooks. */
export type Pattern = Awaited<ReturnType<typeof makePattern>>;

/** Makes a user, and takes the rows of its event once its delivery is recorded. */
export async function makePattern({ admin, db }: BenchContext) {
  const user = idIn(await admin.made('/users', { name: 'Ada Lovelace', email: 'ada@example.com' }));
  const recorded = (): Promise<number> => db.collection('deliveries').countDocuments({ status: 'SUCCEEDED' });
  await untilNoneLeft('a delivery to be recorded', async () => 1 - (await recorded()));
  const ofUser = { object_id: new ObjectId(user) };
  const event = await db.collection('events').findOne(ofUser, { projection: { position: 0 } });
  const delivery = await db.collection('deliveries').findOne({ event: event?._id });
  if (event === null || delivery === null) throw new Error('the event of a new user was not delivered');
  return { event, delivery, webhooks: await db.collection('webhooks').find().toArray() };
}

/** Events like the pattern's, of each kind in turn, in the state in which they wait. */
export function newEvents({ event }: Pattern, count: number, way: Way): mongo.Document[] {
  const like = JSON.parse(String(event['body'])) as object;
  return Array.from({ length: count }, (_row, index) => {
    const one = copyOf(event);
    const kind = KINDS[index % KINDS.length];
    const state = way === 'due' ? { position: index + 1 } : { pending: true };
    const body = JSON.stringify({ ...like, id: one._id.toHexString(), kind });
    return { ...one, kind, object_id: new ObjectId(), created: new Date(), body, ...state };
  });
}

/** The deliveries of these events, due and not yet tried. */
export function newDeliveries(
  { delivery, webhooks }: Pattern,
  events: readonly mongo.Document[],
): mongo.Document[] {
  const fresh = { status: 'PENDING', attempts: [], attempt: 0, recorded: 0, generation: 0 };
  const webhookOf = new Map(webhooks.map((one) => [one['event_type'], one] as const));
  return events.map((event) => {
    const webhook = webhookOf.get(event['kind']);
    return {
      ...{ ...copyOf(delivery), ...fresh },
      event: event['_id'] as unknown,
      event_type: event['kind'] as unknown,
      next_attempt: event['created'] as unknown,
      webhook: webhook?._id,
      endpoint: webhook?.['endpoint'] as unknown,
    };
  });
}
