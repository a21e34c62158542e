/**
 * The bare side of the deliveries benchmark: reads what is to be sent, signs, sends, and records each attempt, many
 * rows by one call of the database. It leases nothing, asks no webhook whether it still wants it, and would send again
 * what it had sent before a crash.
 */
import mongoose, { type mongo } from 'mongoose';

import { argument, print, variable } from '../child.js';
import { CONNECTION } from '../measure/connection.js';
import { startCpu } from '../measure/cpu.js';
import { Sender } from './sender.js';

/** What the process is started with, as JSON. */
export interface SendSpec {
  /**
   * What waits: deliveries that are due, events that have none yet, or nothing: then it sends copies of `event` and
   * keeps no record.
   */
  readonly way: 'due' | 'events' | 'nothing';
  readonly url: string;
  /** Paths. */
  readonly endpoints: readonly string[];
  readonly perEndpoint: number;
  /** Twice as many wait: the first half warms up the process. */
  readonly calls: number;
  /** A body without its id, as JSON. */
  readonly event: string;
  /** Of the other processes to measure. */
  readonly pids: Readonly<Record<string, number>>;
}

/** Read, sent and recorded together; the next are read and sent while some are recorded. */
const BATCH = 500;
const BATCHES_AT_ONCE = 2;

const { MongoClient, ObjectId } = mongoose.mongo;
const spec = JSON.parse(argument()) as SendSpec;
const client = await new MongoClient(variable('MONGODB_URI'), CONNECTION).connect();
const events = client.db().collection('bare_events');
const deliveries = client.db().collection('bare_deliveries');
const sender = new Sender(spec.url, spec.endpoints, spec.perEndpoint);
let sent = 0;

const read = { due: dueDeliveries, events: pendingEvents, nothing: copies }[spec.way];
const work = { due: sendDue, events: sendEvents, nothing: sendAll }[spec.way];

function dueDeliveries(): mongo.FindCursor {
  const due = { next_attempt: { $lte: new Date() } };
  return deliveries.find(due, { projection: { event: 1 } }).sort({ next_attempt: 1 });
}

function pendingEvents(): mongo.FindCursor {
  return events.find({ pending: true }).sort({ _id: 1 });
}

function* copies(): Generator<mongo.Document, void> {
  for (let count = 0; count < 2 * spec.calls; count += 1) {
    const id = new ObjectId().toHexString();
    yield { body: `{"id":"${id}",${spec.event.slice(1)}` };
  }
}

async function sendDue(due: readonly mongo.Document[]): Promise<void> {
  const wanted = { _id: { $in: due.map(({ event }) => event as mongo.ObjectId) } };
  const bodies = await events.find(wanted, { projection: { body: 1 } }).toArray();
  await sendAll(bodies);
  await deliveries.updateMany(
    { _id: { $in: due.map(({ _id }) => _id as mongo.ObjectId) } },
    {
      $set: { status: 'SUCCEEDED', reason: null, next_attempt: null, updated: new Date() },
      $inc: { generation: 2, attempt: 1, recorded: 1 },
      $push: { attempts: attempt() as never },
    },
  );
}

async function sendEvents(pending: readonly mongo.Document[]): Promise<void> {
  await sendAll(pending);
  const now = new Date();
  const [like] = await deliveries.find().limit(1).toArray();
  await Promise.all([
    deliveries.insertMany(
      pending.map(({ _id, kind }) => ({
        ...like,
        _id: new ObjectId(),
        event: _id as mongo.ObjectId,
        event_type: kind as string,
        status: 'SUCCEEDED',
        attempts: [attempt()],
        next_attempt: null,
        updated: now,
      })),
    ),
    events.updateMany(
      { _id: { $in: pending.map(({ _id }) => _id as mongo.ObjectId) } },
      { $set: { position: 1 }, $unset: { pending: 1 } },
    ),
  ]);
}

async function sendAll(rows: readonly mongo.Document[]): Promise<void> {
  await Promise.all(rows.map(({ body }) => sender.send(String(body), sent++)));
}

function attempt(): mongo.Document {
  return { number: 1, at: new Date(), status: 200, error: null, duration_ms: 10, reply: 'ok' };
}

type Rows = AsyncIterator<mongo.Document, void> | Iterator<mongo.Document, void>;

/** Sends `count` of what waits. */
async function take(rows: Rows, count: number): Promise<void> {
  let left = count;
  const batches = async (): Promise<void> => {
    while (left > 0) {
      const size = Math.min(BATCH, left);
      left -= size;
      const batch: mongo.Document[] = [];
      while (batch.length < size) {
        const { value, done } = await rows.next();
        if (done === true) throw new Error('less was waiting than was laid out');
        batch.push(value);
      }
      await work(batch);
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, batches));
}

const cursor = read();
const rows = cursor instanceof mongoose.mongo.FindCursor ? cursor[Symbol.asyncIterator]() : cursor;
// The worker has run since the first pair: this process, which is new, gets as long before it is measured.
await take(rows, spec.calls);
const cpuOf = startCpu({ sender: process.pid, ...spec.pids });
const started = performance.now();
await take(rows, spec.calls);
const seconds = (performance.now() - started) / 1000;
print({ rate: spec.calls / seconds, cpu: cpuOf(spec.calls) });
await Promise.all([sender.close(), client.close()]);
