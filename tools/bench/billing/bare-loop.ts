/**
 * The bare side of the billing benchmark: for each subscription a transaction that opens a payment, a call to the
 * card provider, and a transaction that settles it, with the rows that the service writes. It decides nothing, reads
 * nothing and survives nothing. Reads a spec as EJSON from its argument, {samples, abreast, pids}, and prints its
 * round as JSON.
 */
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { Pool } from 'undici';
import { CONNECTION } from '../measure/connection.mjs';
import { startCpu } from '../measure/cpu.mjs';

const { BSON, MongoClient, ObjectId, WriteConcern } = mongoose.mongo;
const { samples, abreast, pids } = BSON.EJSON.parse(readFileSync(process.argv[2], 'utf8'), { relaxed: true });
const { MONGODB_URI, STRIPE_API_BASE, STRIPE_SECRET_KEY } = process.env;
const client = await new MongoClient(MONGODB_URI, CONNECTION).connect();
const db = client.db();
const [subscriptions, payments, events] = ['subscriptions', 'payments', 'events'].map((name) =>
  db.collection(`bare_${name}`),
);
const provider = new Pool(STRIPE_API_BASE, { connections: abreast, pipelining: 1 });
const DURABLE = {
  readConcern: { level: 'snapshot' },
  writeConcern: new WriteConcern('majority', undefined, true),
};

async function bill({ _id, company }, sample) {
  const { before, after } = sample;
  const payment = { ...sample.payment, _id: new ObjectId(), subscription: _id };
  const [attempt] = payment.attempts;
  const open = {
    ...payment,
    status: 'PROCESSING',
    attempts: [{ ...attempt, status: 'PROCESSING' }],
    provider: { ...payment.provider, charge_id: null, intent_id: null },
    check_at: new Date(),
  };
  await commit(async (session) => {
    await payments.insertOne(open, { session });
    const set = { ...changed(before, after), due: null, wake_at: null, payments: [payment._id] };
    const { matchedCount } = await subscriptions.updateOne(
      { _id, company, 'sys.version': before.sys.version },
      { $set: { ...set, sys: { ...after.sys, version: before.sys.version + 1 } } },
      { session },
    );
    if (matchedCount !== 1) throw new Error('a subscription was not as it was laid out');
    await events.insertMany(copies(sample.first, payment._id, _id), { session });
  });
  const intent = await charge(payment);
  await commit(async (session) => {
    const { status, attempts, metadata, request, updated } = payment;
    const known = { ...payment.provider, intent_id: intent.id, charge_id: intent.latest_charge };
    await payments.updateOne(
      { _id: payment._id, company },
      { $set: { status, attempts, metadata, request, provider: known, check_at: null, updated } },
      { session },
    );
    const { due, wake_at, open_payment, sys, last_billed_date, last_billed_amount } = after;
    await subscriptions.updateOne(
      { _id, company, 'sys.version': before.sys.version + 1 },
      {
        $set: {
          due,
          wake_at,
          open_payment,
          sys,
          last_billed_date,
          last_billed_amount,
          updated: after.updated,
        },
      },
      { session },
    );
    await events.insertMany(copies(sample.second, payment._id, _id), { session });
  });
}

async function commit(work) {
  const session = client.startSession();
  try {
    await session.withTransaction(() => work(session), DURABLE);
  } finally {
    await session.endSession();
  }
}

function changed(before, after) {
  const text = (value) => JSON.stringify(value);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => text(value) !== text(before[name])),
  );
}

function copies(rows, payment, subscription) {
  return rows.map((row) => ({
    ...row,
    _id: new ObjectId(),
    object_id: row.object_type === 'payment' ? payment : subscription,
  }));
}

async function charge({ _id, company, amount, currency, request }) {
  const body = new URLSearchParams({
    amount: String(Math.round(amount * 100)),
    currency: currency.toLowerCase(),
    customer: request.customer_id,
    payment_method: request.method_id,
    'automatic_payment_methods[enabled]': 'true',
    'automatic_payment_methods[allow_redirects]': 'never',
    confirm: 'true',
    off_session: 'true',
    'metadata[company]': company.toHexString(),
    'metadata[payment]': _id.toHexString(),
    'metadata[attempt]': '1',
  });
  const { statusCode, body: reply } = await provider.request({
    method: 'POST',
    path: '/v1/payment_intents',
    headers: {
      authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      'content-type': 'application/x-www-form-urlencoded',
      'idempotency-key': `pay-${_id.toHexString()}`,
    },
    body: body.toString(),
  });
  const intent = await reply.json();
  if (statusCode !== 200 || intent.status !== 'succeeded')
    throw new Error(`the provider said ${JSON.stringify(intent)}`);
  return intent;
}

const WARM_UP = 100;
const rows = await subscriptions.find({}, { projection: { company: 1, user: 1 } }).toArray();
const sampleOf = new Map(samples.map((sample) => [sample.before.user.toHexString(), sample]));

async function billAll(left) {
  const lane = async () => {
    for (let next = left.pop(); next; next = left.pop())
      await bill(next, sampleOf.get(next.user.toHexString()));
  };
  await Promise.all(Array.from({ length: abreast }, lane));
}

await billAll(rows.splice(0, WARM_UP));
const count = rows.length;
const cpuOf = startCpu({ biller: process.pid, ...pids });
const started = performance.now();
await billAll(rows);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ rate: count / seconds, cpu: cpuOf(count) })}\n`);
await Promise.all([provider.close(), client.close()]);
