import { createHmac, createSecretKey, randomBytes } from 'node:crypto';

import type { mongo } from 'mongoose';
import pMap from 'p-map';
import { Pool } from 'undici';

import { KINDS, newDeliveries, type Pattern, type Way } from './pattern.js';

/** Read, sent and recorded together; the next are read and sent while some are recorded. */
const BATCH = 500;
const CONCURRENT_BATCHES = 2;

/** The calls of the worker in flight to one endpoint. */
const PER_ENDPOINT = 5;

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
    private readonly pattern: Pattern,
  ) {
    this.events = db.collection('bare_events');
    this.deliveries = db.collection('bare_deliveries');
    this.pool = new Pool(url, { connections: PER_ENDPOINT * KINDS.length });
  }

  /** Sends and records all rows that wait. */
  async run(way: Way): Promise<void> {
    const rows =
      way === 'due'
        ? this.deliveries.find({ next_attempt: { $lte: new Date() } }).sort({ next_attempt: 1 })
        : this.events.find({ pending: true }).sort({ _id: 1 });
    const record = (batch: mongo.Document[]): Promise<void> =>
      way === 'due' ? this.sendDue(batch) : this.sendEvents(batch);
    await pMap(batchesOf(rows.batchSize(BATCH)), record, { concurrency: CONCURRENT_BATCHES });
  }

  private async send({ body }: mongo.Document): Promise<void> {
    const path = `/${String(this.sent++ % KINDS.length)}`;
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
    const recorded = { status: 'SUCCEEDED', next_attempt: null, updated: new Date(), attempts: [attempt()] };
    const made = newDeliveries(this.pattern, pending).map((delivery) => ({ ...delivery, ...recorded }));
    await Promise.all([
      this.deliveries.insertMany(made),
      this.events.updateMany(
        { _id: idsOf(pending, '_id') },
        { $set: { position: 1 }, $unset: { pending: 1 } },
      ),
    ]);
  }
}

async function* batchesOf(rows: mongo.FindCursor): AsyncGenerator<mongo.Document[]> {
  while (await rows.hasNext()) yield rows.readBufferedDocuments() as mongo.Document[];
}

const attempt = () => ({ number: 1, at: new Date(), status: 200, error: null, duration_ms: 10, reply: 'ok' });

const idsOf = (rows: readonly mongo.Document[], field: string) =>
  ({ $in: rows.map((row) => row[field] as mongo.ObjectId) }) as const;
