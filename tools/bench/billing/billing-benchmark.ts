import type { mongo } from 'mongoose';

import type { BenchContext, Benchmark, Scale } from '../context.js';
import { startSink } from '../deliveries/listening.js';
import { copyOf, empty } from '../measure/collections.js';
import { compare, inTurn, type Measured, type Round } from '../measure/compare.js';
import { measured } from '../measure/measured.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import { BareBiller } from './bare-loop.js';
import { makeSamples, type Sample, type SubscriptionRow } from './samples.js';

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
  await startSink(context, ['payment.succeeded']);
  const samples = await makeSamples(context, context.admin);
  const { STRIPE_API_BASE: url = '', STRIPE_SECRET_KEY: key = '' } = stack.env;
  const biller = new BareBiller(client, samples, { url, key, concurrency: CONCURRENCY });
  const sides = inTurn(
    () => billed(context, samples),
    async () => {
      const rows = await layOut(db, samples, scale, 'bare_');
      const pids = { biller: process.pid, ...context.pidsOf('sandbox', 'api') };
      return measured(pids, () => biller.run(rows).then(() => rows.length));
    },
  );
  return [await compare(context, { what, unit: 'subscriptions', aim: 0.6 }, sides)];
}

/** Charges in a round. */
export const chargesOf = ({ things }: Scale): number => Math.round(things / 6);

/** A round of the service: copies of the samples, due at once, until all of them are paid and delivered. */
export async function billed(context: BenchContext, samples: readonly Sample[]): Promise<Round> {
  const { db, scale } = context;
  const biller = context.pidOf('worker');
  const { length: count } = await whilePaused(biller, () => layOut(db, samples, scale));
  const round = await measured({ biller, ...context.pidsOf('sandbox', 'api') }, () =>
    untilBilled(db).then(() => count),
  );
  const paid = await db.collection('payments').countDocuments({ status: 'SUCCEEDED' });
  if (paid !== count) throw new Error(`${String(paid)} of ${String(count)} subscriptions were paid`);
  return round;
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

/** Subscriptions that are due, of each customer in turn, and nothing else. */
async function layOut(
  db: mongo.Db,
  samples: readonly Sample[],
  scale: Scale,
  prefix = '',
): Promise<SubscriptionRow[]> {
  await empty(db, ['events', 'deliveries', 'payments', 'subscriptions'], prefix);
  const rows = Array.from({ length: chargesOf(scale) }, (_row, index) =>
    copyOf((samples[index % samples.length] as Sample).before),
  );
  await db.collection(`${prefix}subscriptions`).insertMany(rows);
  return rows;
}
