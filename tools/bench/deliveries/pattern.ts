import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { BenchContext } from '../context.js';
import { untilNoneLeft } from '../measure/waiting.js';

const { ObjectId } = mongoose.mongo;

/** One webhook for each, so that an event has one delivery. */
export const KINDS = (
  'user.created user.updated user.deleted order.created order.updated order.cancelled ' +
  'subscription.created subscription.updated payment.created payment.succeeded'
).split(' ');

/** An event and its delivery as the service writes them, to be copied, and the webhooks. */
export interface Pattern {
  readonly event: mongo.Document;
  readonly delivery: mongo.Document;
  readonly webhooks: readonly mongo.Document[];
}

/** Makes a user, and takes the rows of its event once they are all recorded. */
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
  return { event, delivery, webhooks: await db.collection('webhooks').find().toArray() };
}

/** Events like the pattern's, of each kind in turn, with the state that the benchmark gives them. */
export function newEvents(
  { event }: Pattern,
  count: number,
  state: (index: number) => mongo.Document,
): mongo.Document[] {
  const like = JSON.parse(String(event['body'])) as object;
  return Array.from({ length: count }, (_row, index) => {
    const _id = new ObjectId();
    const kind = KINDS[index % KINDS.length];
    const body = JSON.stringify({ ...like, id: _id.toHexString(), kind });
    return { ...event, _id, kind, object_id: new ObjectId(), created: new Date(), body, ...state(index) };
  });
}

/** The deliveries of these events, due and not yet tried. */
export function newDeliveries(
  { delivery, webhooks }: Pattern,
  events: readonly mongo.Document[],
): mongo.Document[] {
  const fresh = { status: 'PENDING', attempts: [], attempt: 0, recorded: 0, generation: 0 };
  const own = (event: mongo.Document, webhook: mongo.Document = {}): mongo.Document => ({
    _id: new ObjectId(),
    event: event['_id'] as unknown,
    event_type: event['kind'] as unknown,
    next_attempt: event['created'] as unknown,
    webhook: webhook['_id'] as unknown,
    endpoint: webhook['endpoint'] as unknown,
  });
  const byKind = new Map(webhooks.map((webhook) => [webhook['event_type'], webhook]));
  return events.map((event) => ({ ...delivery, ...fresh, ...own(event, byKind.get(event['kind'])) }));
}
