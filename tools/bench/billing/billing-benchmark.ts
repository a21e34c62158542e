import { randomBytes } from 'node:crypto';

import mongoose, { type mongo } from 'mongoose';

import type { BenchContext, Benchmark, Scale, Shop } from '../context.js';
import { startSink } from '../deliveries/listening.js';
import { copyIndexes, empty } from '../measure/collections.js';
import { compare, inTurn, type Measured, type Round } from '../measure/compare.js';
import { measured } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import { BareBiller } from './bare-loop.js';
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
  const { client, db, scale, stack } = context;
  const sink = await startSink(context, ['payment.succeeded']);
  const { due, samples } = await makeSamples(context, context);
  for (const name of ['subscriptions', 'payments', 'events']) await copyIndexes(db, name, `bare_${name}`);
  const { STRIPE_API_BASE: url = '', STRIPE_SECRET_KEY: key = '' } = stack.env;
  const biller = new BareBiller(client, samples, { url, key, concurrency: CONCURRENCY });
  const count = chargesOf(scale);
  const others = othersIn(context);
  const sides = inTurn(
    () => billed(context, due),
    async () => {
      await empty(db, 'bare_events', 'bare_payments', 'bare_subscriptions');
      const rows = copiesOf(due, count);
      await db.collection('bare_subscriptions').insertMany(rows);
      return measured({ biller: process.pid, ...others }, count, () => biller.run(rows));
    },
  );
  const compared = await compare(context, { what, unit: 'subscriptions', aim: 0.6 }, sides);
  await sink.child.stop();
  return [compared];
}

/** Charges in a round. */
export const chargesOf = ({ things }: Scale): number => Math.round(things / 6);

/** Customers of a shop with a subscription each, as these rows are while they are due, and once they are billed. */
export async function makeSamples(
  context: BenchContext,
  shop: Shop,
): Promise<{ due: SubscriptionRow[]; samples: Sample[] }> {
  const due = await whilePaused(context.pidOf('worker'), () => makeDueSubscriptions(shop, CUSTOMERS));
  return { due, samples: await samplesOf(context.db, due) };
}

/** A round of the service: copies of these subscriptions, due at once, until all of them are paid and delivered. */
export async function billed(context: BenchContext, due: readonly SubscriptionRow[]): Promise<Round> {
  const { db, scale } = context;
  const count = chargesOf(scale);
  const biller = context.pidOf('worker');
  await whilePaused(biller, async () => {
    await empty(db, 'events', 'deliveries', 'payments', 'subscriptions');
    await db.collection('subscriptions').insertMany(copiesOf(due, count));
  });
  const round = await measured({ biller, ...othersIn(context) }, count, () => untilBilled(db));
  const paid = await db.collection('payments').countDocuments({ status: 'SUCCEEDED' });
  if (paid !== count) throw new Error(`${String(paid)} of ${String(count)} subscriptions were paid`);
  return round;
}

/** The pids of the processes beside the biller. */
function othersIn(context: BenchContext): Record<string, number> {
  return { ...context.databasePids, sandbox: context.pidOf('sandbox'), api: context.pidOf('api') };
}

/** Until every subscription is settled, and each success is relayed and delivered. */
async function untilBilled(db: mongo.Db): Promise<void> {
  const waiting = {
    subscriptions: { wake_at: { $lte: new Date() } },
    payments: { check_at: { $type: 'date' } },
    events: { pending: true },
    deliveries: { status: 'PENDING' },
  };
  for (const [name, filter] of Object.entries(waiting)) {
    await untilNoneLeft(`${name} to be done`, () => db.collection(name).countDocuments(filter));
  }
}

/** Subscriptions that are due, of each customer in turn. */
function copiesOf(due: readonly SubscriptionRow[], count: number): SubscriptionRow[] {
  return Array.from({ length: count }, (_row, index) => ({
    ...(due[index % due.length] as SubscriptionRow),
    _id: new mongoose.mongo.ObjectId(),
    human_id: randomBytes(4).toString('hex'),
  }));
}
