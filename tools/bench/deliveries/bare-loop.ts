/**
 * The bare side of the deliveries benchmark: reads rows, signs, sends, and records each attempt, many rows by one call
 * of the database. It leases nothing, asks no webhook whether it still wants the event, and would send again after a
 * crash.
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import mongoose, { type mongo } from 'mongoose';
import pMap from 'p-map';
import { Pool } from 'undici';

import { connect, measureLoop, specification } from '../child.js';

export interface SendSpec {
  /** The rows that wait: deliveries that are due, or events that have none yet. */
  readonly way: 'due' | 'events';
  readonly url: string;
  /** Paths. */
  readonly endpoints: readonly string[];
  readonly perEndpoint: number;
  /** Twice as many wait: the first half warms up the process. */
  readonly calls: number;
  /** The other processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

/** Read, sent and recorded together; the next are read and sent while some are recorded. */
const BATCH = 500;
const CONCURRENT_BATCHES = 2;

const { ObjectId } = mongoose.mongo;
const { way, url, endpoints, perEndpoint, calls, pids } = specification<SendSpec>();
const client = await connect();
const events = client.db().collection('bare_events');
const deliveries = client.db().collection('bare_deliveries');
const key = createSecretKey(randomBytes(32));
const pools = endpoints.map((path) => ({ path, pool: new Pool(url, { connections: perEndpoint }) }));
let sent = 0;

const cursor =
  way === 'due'
    ? deliveries.find({ next_attempt: { $lte: new Date() } }).sort({ next_attempt: 1 })
    : events.find({ pending: true }).sort({ _id: 1 });

async function send({ body }: mongo.Document): Promise<void> {
  const endpoint = pools[sent++ % pools.length];
  if (endpoint === undefined) throw new Error('there is no endpoint');
  const { path, pool } = endpoint;
  const bytes = Buffer.from(`${String(body).slice(0, -1)},"url":"${url}${path}"}`);
  const headers = {
    'content-type': 'application/json',
    'X-Service-Webhook-Signature': createHmac('sha256', key).update(bytes).digest('hex'),
    'X-Service-Webhook-Type': 'WebhookMessage',
    'X-Service-Webhook-Retries': '0',
  };
  const reply = await pool.request({ path, method: 'POST', headers, body: bytes });
  await reply.body.dump();
  if (reply.statusCode !== 200) throw new Error(`the sink answered ${String(reply.statusCode)}`);
}

const attempt = () => ({ number: 1, at: new Date(), status: 200, error: null, duration_ms: 10, reply: 'ok' });
const idsOf = (rows: readonly mongo.Document[], field: string) =>
  ({ $in: rows.map((row) => row[field] as mongo.ObjectId) }) as const;

async function sendDue(due: readonly mongo.Document[]): Promise<void> {
  await Promise.all((await events.find({ _id: idsOf(due, 'event') }).toArray()).map(send));
  await deliveries.updateMany(
    { _id: idsOf(due, '_id') },
    {
      $set: { status: 'SUCCEEDED', reason: null, next_attempt: null, updated: new Date() },
      $inc: { generation: 2, attempt: 1, recorded: 1 },
      $push: { attempts: attempt() as never },
    },
  );
}

async function sendEvents(pending: readonly mongo.Document[]): Promise<void> {
  await Promise.all(pending.map(send));
  const like = await deliveries.findOne();
  const recorded = { status: 'SUCCEEDED', next_attempt: null, updated: new Date(), attempts: [attempt()] };
  const own = (event: mongo.Document) => ({
    _id: new ObjectId(),
    event: event['_id'] as unknown,
    event_type: event['kind'] as unknown,
  });
  await Promise.all([
    deliveries.insertMany(pending.map((event) => ({ ...like, ...recorded, ...own(event) }))),
    events.updateMany({ _id: idsOf(pending, '_id') }, { $set: { position: 1 }, $unset: { pending: 1 } }),
  ]);
}

async function* batches(): AsyncGenerator<mongo.Document[]> {
  for (let left = calls; left > 0; left -= BATCH) {
    const batch: mongo.Document[] = [];
    while (batch.length < Math.min(BATCH, left)) {
      const row = await cursor.next();
      if (row === null) throw new Error('fewer rows wait than were laid out');
      batch.push(row);
    }
    yield batch;
  }
}

await measureLoop('sender', { things: calls, pids }, () =>
  pMap(batches(), way === 'due' ? sendDue : sendEvents, { concurrency: CONCURRENT_BATCHES }),
);
await Promise.all([client.close(), ...pools.map(({ pool }) => pool.close())]);
