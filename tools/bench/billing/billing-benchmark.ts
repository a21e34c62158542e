import { randomBytes } from 'node:crypto';

import mongoose from 'mongoose';

import type { Benchmark } from '../benchmark.js';
import type { BenchContext } from '../context.js';
import { startSink } from '../deliveries/listening.js';
import { copyIndexes, empty, insert } from '../measure/collections.js';
import { compare, inTurn, type Measured, type Round } from '../measure/compare.js';
import { startCpu } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import type { BillSpec } from './bare-loop.js';
import { makeDueSubscriptions, samplesOf, type Sample, type SubscriptionRow } from './samples.js';

/** Customers with a card; the subscriptions are shared out among them. */
const CUSTOMERS = 20;

/** The charges of the worker in flight: CHARGES_AT_ONCE. */
const CONCURRENCY = 64;

/** The time of a call to a card provider over the internet. */
const FAR_MS = 150;

/** Due subscriptions to settled payments, against the same writes and calls alone. */
export const billing: Benchmark = {
  name: 'billing',
  apps: ['sandbox', 'api', 'worker'],
  run: (context) => measure(context, 'due to settled'),
};

/** The same where the provider is far away: the number of charges in flight decides. */
export const farBilling: Benchmark = {
  ...billing,
  name: 'far-billing',
  env: { SANDBOX_LATENCY_MS: String(FAR_MS) },
  run: (context) => measure(context, `with ${String(FAR_MS)} ms of the provider`),
};

async function measure(context: BenchContext, what: string): Promise<Measured[]> {
  const { db, scale } = context;
  const sink = await startSink(context, ['payment.succeeded']);
  const worker = context.pidOf('worker');
  const due = await whilePaused(worker, () => makeDueSubscriptions(context, CUSTOMERS));
  const samples = await samplesOf(db, due);
  for (const name of ['subscriptions', 'payments', 'events']) await copyIndexes(db, name, `bare_${name}`);
  const count = Math.round(scale.things / 6);
  const sides = inTurn(
    () => bill(context, due, count),
    () => billBarely(context, due, count, samples),
  );
  const measured = await compare(context, { what, unit: 'subscriptions', aim: 0.6 }, sides);
  await sink.child.stop();
  return [measured];
}

async function bill(context: BenchContext, due: readonly SubscriptionRow[], count: number): Promise<Round> {
  const { db } = context;
  const subscriptions = db.collection('subscriptions');
  const payments = db.collection('payments');
  const worker = context.pidOf('worker');
  await whilePaused(worker, async () => {
    await empty(db, 'events', 'deliveries', 'payments', 'subscriptions');
    await insert(subscriptions, copiesOf(due, count));
  });
  const cpuOf = startCpu({ biller: worker, ...others(context) });
  const started = performance.now();
  await untilNoneLeft(
    'subscriptions to be billed',
    async () =>
      (await subscriptions.countDocuments({ wake_at: { $lte: new Date() } })) ||
      payments.countDocuments({ check_at: { $type: 'date' } }),
  );
  await untilNoneLeft(
    'events to be relayed and delivered',
    async () =>
      (await db.collection('events').countDocuments({ pending: true })) ||
      db.collection('deliveries').countDocuments({ status: 'PENDING' }),
  );
  const rate = (count * 1000) / (performance.now() - started);
  const cpu = cpuOf(count);
  const paid = await payments.countDocuments({ status: 'SUCCEEDED' });
  if (paid !== count) throw new Error(`${String(paid)} of ${String(count)} subscriptions were paid`);
  return { rate, ...cpu };
}

async function billBarely(
  context: BenchContext,
  due: readonly SubscriptionRow[],
  count: number,
  samples: readonly Sample[],
): Promise<Round> {
  const { db } = context;
  await empty(db, 'bare_events', 'bare_payments', 'bare_subscriptions');
  // The first half of them warms the loop up.
  await insert(db.collection('bare_subscriptions'), copiesOf(due, 2 * count));
  const spec: BillSpec = { samples, concurrency: CONCURRENCY, pids: others(context) };
  return context.runScript('billing/bare-loop.js', spec);
}

const others = (context: BenchContext): Record<string, number> => ({
  ...context.databasePids,
  sandbox: context.pidOf('sandbox'),
  api: context.pidOf('api'),
});

/** Subscriptions that are due, of each customer in turn. */
function copiesOf(due: readonly SubscriptionRow[], count: number): object[] {
  const { ObjectId } = mongoose.mongo;
  return Array.from({ length: count }, (_row, index) => ({
    ...due[index % due.length],
    _id: new ObjectId(),
    human_id: randomBytes(4).toString('hex'),
  }));
}
