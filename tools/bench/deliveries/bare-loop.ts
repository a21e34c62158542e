import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import mongoose, { type mongo } from 'mongoose';
import pMap from 'p-map';
import { Pool } from 'undici';

/** The rows that wait: deliveries that are due, or events that have none yet. */
export type Way = 'due' | 'events';

/** Read, sent and recorded together; the next are read and sent while some are recorded. */
const BATCH = 500;
const CONCURRENT_BATCHES = 2;

const { ObjectId } = mongoose.mongo;

/**
 * The bare side of the deliveries benchmark: reads rows, signs, sends, and records each attempt, many rows by one call
 * of the database. It leases nothing, asks no webhook whether it still wants the event, and would send again after a
 * crash.
 */
export class BareSender {
  private readonly key = createSecretKey(randomBytes(32));
  private readonly events: mongo.Collection;
  private readonly deliveries: mongo.Collection;
  private readonly pool: Pool;
  private sent = 0;

  constructor(
    db: mongo.Db,
    private readonly url: string,
    private readonly paths: readonly string[],
    connections: number,
  ) {
    this.events = db.collection('bare_events');
    this.deliveries = db.collection('bare_deliveries');
    this.pool = new Pool(url, { connections });
  }

  /** Sends and records all rows that wait. */
  async run(way: Way): Promise<void> {
    const rows =
      way === 'due'
        ? this.deliveries.find({ next_attempt: { $lte: new Date() } }).sort({ next_attempt: 1 })
        : this.events.find({ pending: true }).sort({ _id: 1 });
    const record = (batch: mongo.Document[]): Promise<void> =>
      way === 'due' ? this.sendDue(batch) : this.sendEvents(batch);
    await pMap(batchesOf(rows), record, { concurrency: CONCURRENT_BATCHES });
  }

  private async send({ body }: mongo.Document): Promise<void> {
    const path = this.paths[this.sent++ % this.paths.length] ?? '/';
    const bytes = Buffer.from(`${String(body).slice(0, -1)},"url":"${this.url}${path}"}`);
    const headers = {
      'content-type': 'application/json',
      'X-Service-Webhook-Signature': createHmac('sha256', this.key).update(bytes).digest('hex'),
      'X-Service-Webhook-Type': 'WebhookMessage',
      'X-Service-Webhook-Retries': '0',
    };
    const reply = await this.pool.request({ path, method: 'POST', headers, body: bytes });
    await reply.body.dump();
    if (reply.statusCode !== 200) throw new Error(`the sink answered ${String(reply.statusCode)}`);
  }

  private async sendDue(due: readonly mongo.Document[]): Promise<void> {
    const events = await this.events.find({ _id: idsOf(due, 'event') }).toArray();
    await Promise.all(events.map((event) => this.send(event)));
    await this.deliveries.updateMany(
      { _id: idsOf(due, '_id') },
      {
        $set: { status: 'SUCCEEDED', reason: null, next_attempt: null, updated: new Date() },
        $inc: { generation: 2, attempt: 1, recorded: 1 },
        $push: { attempts: attempt() as never },
      },
    );
  }

  private async sendEvents(pending: readonly mongo.Document[]): Promise<void> {
    await Promise.all(pending.map((event) => this.send(event)));
    const like = await this.deliveries.findOne();
    const recorded = { status: 'SUCCEEDED', next_attempt: null, updated: new Date(), attempts: [attempt()] };
    const own = (event: mongo.Document) => ({
      _id: new ObjectId(),
      event: event['_id'] as unknown,
      event_type: event['kind'] as unknown,
    });
    await Promise.all([
      this.deliveries.insertMany(pending.map((event) => ({ ...like, ...recorded, ...own(event) }))),
      this.events.updateMany(
        { _id: idsOf(pending, '_id') },
        { $set: { position: 1 }, $unset: { pending: 1 } },
      ),
    ]);
  }
}

async function* batchesOf(rows: AsyncIterable<mongo.Document>): AsyncGenerator<mongo.Document[]> {
  let batch: mongo.Document[] = [];
  for await (const row of rows) {
    if (batch.push(row) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const attempt = () => ({ number: 1, at: new Date(), status: 200, error: null, duration_ms: 10, reply: 'ok' });

const idsOf = (rows: readonly mongo.Document[], field: string) =>
  ({ $in: rows.map((row) => row[field] as mongo.ObjectId) }) as const;
