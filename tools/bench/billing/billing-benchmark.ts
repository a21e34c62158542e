import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { idIn } from '@commerce/testing';
import mongoose, { type mongo } from 'mongoose';

import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf, type BenchContext } from '../context.js';
import { alternate, oneAfterTheOther } from '../measure/alternate.js';
import { startCpu } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/pausing.js';
import { copyIndexes, empty } from '../measure/collections.js';
import type { Round } from '../measure/summary.js';
import type { Scale } from '../scale.js';
import type { BillSpec, Sample, SubscriptionRow } from './rows.js';
import { makeDueSubscriptions, samplesOf } from './samples.js';

const { BSON, ObjectId } = mongoose.mongo;

/** Customers with a card; the subscriptions are shared out among them. */
const CUSTOMERS = 20;

/** What the worker has under way: CHARGES_AT_ONCE. */
const ABREAST = 64;

const BATCH = 1000;

/** What a call to a card provider takes over the internet. */
const FAR_MS = 150;

const about = (scale: Scale): string =>
  `${subscriptionsOf(scale).toLocaleString('en-US')} subscriptions of a monthly plan, paid in advance, fall due at once. A sweep finds them, jobs carry ids
through Redis, and the worker decides for each what is owed, commits the payment, charges the card at the sandbox
through Stripe's SDK, and settles payment and subscription in a second commit; its relay gives the events their places
in the log, and a webhook is sent each success: the round ends when all of that is done. The provider's notices go to
the API meanwhile. The bare loop runs the same two transactions with the same rows and indexes and the same call by
undici, ${String(ABREAST)} abreast like the worker; it reads nothing, decides nothing, tells nobody and would lose count in a
crash.`;

/** Due subscriptions to settled payments, against the same writes and calls alone. */
export const billing: Benchmark = {
  key: 'c',
  name: 'billing',
  title: 'Billing of due subscriptions',
  apps: ['sandbox', 'api', 'worker'],
  env: {},
  about,
  run: (context) => measure(context, 'due to settled', 0.6),
};

/** The same where the provider is far away: what counts is how many charges are under way at once. */
export const farBilling: Benchmark = {
  key: 'd',
  name: 'far-billing',
  title: 'Billing by a card provider that takes its time',
  apps: ['sandbox', 'api', 'worker'],
  env: { SANDBOX_LATENCY_MS: String(FAR_MS) },
  about: (scale) =>
    `As above, but each call to the provider takes ${String(FAR_MS)} ms more.\n\n${about(scale)}`,
  run: (context) => measure(context, `with ${String(FAR_MS)} ms of the provider`, 0.6),
};

async function measure(context: BenchContext, what: string, aim: number): Promise<Measured[]> {
  const { db, stack, scale, say } = context;
  const sink = await listen(context);
  const due = await whilePaused(pidOf('worker', stack.pids.worker), async () => {
    const ids = await makeDueSubscriptions(context, CUSTOMERS);
    const made = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
    return db.collection<SubscriptionRow>('subscriptions').find(made).toArray();
  });
  const samples = await samplesOf(db, due);
  for (const name of ['subscriptions', 'payments', 'events']) await copyIndexes(db, name, `bare_${name}`);
  const result = await alternate({
    rounds: scale.rounds,
    pair: oneAfterTheOther(
      () => bill(context, due),
      () => billBarely(context, due, samples),
    ),
    say,
  });
  await sink.child.stop();
  return [{ what, unit: 'subscriptions', aim, result }];
}

/** A webhook that hears of every success. */
async function listen(context: BenchContext): Promise<Awaited<ReturnType<BenchContext['startServer']>>> {
  const sink = await context.startServer('sink', 'deliveries/sink.js', {});
  const { admin } = context;
  const body = { event_type: 'payment.succeeded', endpoint: `${sink.url}/hook` };
  const id = idIn(await admin.made('/webhooks', body));
  const read = (): Promise<{ verified: boolean }> => admin.read(`/webhooks/${id}`);
  await untilNoneLeft('the webhook to be verified', async () => ((await read()).verified ? 0 : 1));
  return sink;
}

const subscriptionsOf = ({ things }: Scale): number => Math.round(things / 6);

async function bill(context: BenchContext, due: readonly SubscriptionRow[]): Promise<Round> {
  const { db, stack, scale } = context;
  const count = subscriptionsOf(scale);
  const subscriptions = db.collection<SubscriptionRow>('subscriptions');
  const payments = db.collection('payments');
  const worker = pidOf('worker', stack.pids.worker);
  await whilePaused(worker, async () => {
    await empty(db, 'events', 'deliveries', 'payments', 'subscriptions');
    await layOut(subscriptions, due, count);
  });
  const cpuOf = startCpu({ biller: worker, ...others(context) });
  const started = performance.now();
  await untilNoneLeft('subscriptions to be billed', async () => {
    const left = await subscriptions.countDocuments({ wake_at: { $lte: new Date() } });
    return left > 0 ? left : payments.countDocuments({ check_at: { $type: 'date' } });
  });
  await untilNoneLeft('events to be relayed and delivered', async () => {
    const pending = await db.collection('events').countDocuments({ pending: true });
    return pending > 0 ? pending : db.collection('deliveries').countDocuments({ status: 'PENDING' });
  });
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuOf(count);
  const paid = await payments.countDocuments({ status: 'SUCCEEDED' });
  if (paid !== count) throw new Error(`${String(paid)} of ${String(count)} subscriptions were paid`);
  return { rate: count / seconds, cpu };
}

async function billBarely(
  context: BenchContext,
  due: readonly SubscriptionRow[],
  samples: readonly Sample[],
): Promise<Round> {
  const { db, scale, dataDir } = context;
  await empty(db, 'bare_events', 'bare_payments', 'bare_subscriptions');
  // The first half of them warms the loop up.
  await layOut(db.collection<SubscriptionRow>('bare_subscriptions'), due, 2 * subscriptionsOf(scale));
  const spec: BillSpec = { samples, abreast: ABREAST, pids: others(context) };
  const file = join(dataDir, 'billing.json');
  writeFileSync(file, BSON.EJSON.stringify(spec));
  return context.runScript('billing/bare-loop.js', file);
}

const others = ({ stack, databasePids }: BenchContext): Record<string, number> => ({
  ...databasePids,
  sandbox: pidOf('sandbox', stack.pids.sandbox),
  api: pidOf('api', stack.pids.api),
});

/** Subscriptions that are due, the customers' in turns. */
async function layOut(
  subscriptions: mongo.Collection<SubscriptionRow>,
  due: readonly SubscriptionRow[],
  count: number,
): Promise<void> {
  const rows = Array.from({ length: Math.ceil(count / due.length) }, () => due)
    .flat()
    .slice(0, count)
    .map((row) => ({ ...row, _id: new ObjectId(), human_id: randomBytes(4).toString('hex') }));
  for (let from = 0; from < count; from += BATCH)
    await subscriptions.insertMany(rows.slice(from, from + BATCH));
}
