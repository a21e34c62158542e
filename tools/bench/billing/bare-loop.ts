/**
 * The bare side of the billing benchmark: for each subscription a transaction that opens a payment, a call to the card
 * provider, and a transaction that settles it, with the rows that the service writes. It decides nothing, reads nothing
 * and survives nothing.
 */
import { readFileSync } from 'node:fs';

import mongoose, { type mongo } from 'mongoose';

import { argument, print, variable } from '../child.js';
import { CONNECTION } from '../measure/connection.js';
import { startCpu } from '../measure/cpu.js';
import { BareProvider } from './bare-provider.js';
import type { BillSpec, PaymentRow, Sample, SubscriptionRow } from './rows.js';

const { BSON, MongoClient, ObjectId, ReadConcern, WriteConcern } = mongoose.mongo;
const DURABLE: mongo.TransactionOptions = {
  readConcern: new ReadConcern('snapshot'),
  writeConcern: new WriteConcern('majority', undefined, true),
};

const text = readFileSync(argument(), 'utf8');
const { samples, abreast, pids } = BSON.EJSON.parse(text, { relaxed: true }) as BillSpec;
const client = await new MongoClient(variable('MONGODB_URI'), CONNECTION).connect();
const provider = new BareProvider(variable('STRIPE_API_BASE'), variable('STRIPE_SECRET_KEY'), abreast);
const db = client.db();
const subscriptions = db.collection<SubscriptionRow>('bare_subscriptions');
const payments = db.collection<PaymentRow>('bare_payments');
const events = db.collection('bare_events');

type DueRow = Pick<SubscriptionRow, '_id' | 'company' | 'user'>;

async function bill(due: DueRow, sample: Sample): Promise<void> {
  const payment: PaymentRow = { ...sample.payment, _id: new ObjectId(), subscription: due._id };
  await commit((session) => open(session, due, payment, sample));
  const charged = await provider.charge(payment);
  await commit((session) =>
    settle(session, due, { ...payment, provider: { ...payment.provider, ...charged } }, sample),
  );
}

/** The first commit: a payment that is under way, and a subscription that waits for it. */
async function open(
  session: mongo.ClientSession,
  due: DueRow,
  payment: PaymentRow,
  sample: Sample,
): Promise<void> {
  const { before, after, first } = sample;
  const [attempt] = payment.attempts;
  await payments.insertOne(
    {
      ...payment,
      status: 'PROCESSING',
      attempts: [{ ...attempt, status: 'PROCESSING' }],
      provider: { ...payment.provider, charge_id: null, intent_id: null },
      check_at: new Date(),
    },
    { session },
  );
  const set = { ...changed(before, after), due: null, wake_at: null, payments: [payment._id] };
  const { matchedCount } = await subscriptions.updateOne(
    { _id: due._id, company: due.company, 'sys.version': before.sys.version },
    { $set: { ...set, sys: { ...after.sys, version: before.sys.version + 1 } } },
    { session },
  );
  if (matchedCount !== 1) throw new Error('a subscription was not as it was laid out');
  await events.insertMany(copies(first, payment._id, due._id), { session });
}

/** The second commit: the payment as it is in the end, and the subscription billed. */
async function settle(
  session: mongo.ClientSession,
  due: DueRow,
  payment: PaymentRow,
  sample: Sample,
): Promise<void> {
  const { before, after, second } = sample;
  await payments.updateOne(
    { _id: payment._id, company: due.company },
    {
      $set: {
        ...pick(payment, 'status', 'attempts', 'metadata', 'request', 'provider', 'updated'),
        check_at: null,
      },
    },
    { session },
  );
  const billed = pick(
    after,
    'due',
    'wake_at',
    'open_payment',
    'sys',
    'last_billed_date',
    'last_billed_amount',
    'updated',
  );
  await subscriptions.updateOne(
    { _id: due._id, company: due.company, 'sys.version': before.sys.version + 1 },
    { $set: billed },
    { session },
  );
  await events.insertMany(copies(second, payment._id, due._id), { session });
}

async function commit(work: (session: mongo.ClientSession) => Promise<void>): Promise<void> {
  const session = client.startSession();
  try {
    await session.withTransaction(() => work(session), DURABLE);
  } finally {
    await session.endSession();
  }
}

function changed(before: mongo.Document, after: mongo.Document): mongo.Document {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

function pick(row: mongo.Document, ...names: string[]): mongo.Document {
  return Object.fromEntries(names.map((name) => [name, row[name] as unknown]));
}

function copies(
  rows: Sample['first'],
  payment: mongo.ObjectId,
  subscription: mongo.ObjectId,
): mongo.Document[] {
  return rows.map((row) => ({
    ...row,
    _id: new ObjectId(),
    object_id: row['object_type'] === 'payment' ? payment : subscription,
  }));
}

const rows = await subscriptions.find({}, { projection: { company: 1, user: 1 } }).toArray();
const sampleOf = new Map(samples.map((sample) => [sample.before.user.toHexString(), sample]));

async function billAll(left: DueRow[]): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let next = left.pop(); next; next = left.pop()) {
      const sample = sampleOf.get(next.user.toHexString());
      if (sample === undefined) throw new Error('there is no sample of this customer');
      await bill(next, sample);
    }
  };
  await Promise.all(Array.from({ length: abreast }, lane));
}

// The worker has run since the first pair: this process, which is new, bills as many before it is measured.
await billAll(rows.splice(0, rows.length / 2));
const count = rows.length;
const cpuOf = startCpu({ biller: process.pid, ...pids });
const started = performance.now();
await billAll(rows);
const seconds = (performance.now() - started) / 1000;
print({ rate: count / seconds, cpu: cpuOf(count) });
await Promise.all([provider.close(), client.close()]);
