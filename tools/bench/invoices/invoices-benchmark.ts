import type { mongo } from 'mongoose';

import { billed, chargesOf, makeSamples } from '../billing/billing-benchmark.js';
import type { SubscriptionRow } from '../billing/samples.js';
import type { BenchContext, Benchmark } from '../context.js';
import { copyIndexes } from '../measure/collections.js';
import { compare, inTurn, type Measured } from '../measure/compare.js';
import { measured } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import { numberBarely } from './bare-loop.js';
import { layOut, patternOf, type Pattern } from './pattern.js';

const SELLER = {
  name: 'Benchmarks GmbH',
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  vat_id: 'DE136695976',
};

/** Each process knows a seller after so long. */
const SELLER_KNOWN_MS = 5000;

/** Until nothing waits for a document; a sweep looks once a second. */
const LOOK_MS = 20;

/** What invoices cost beside billing, and how many can be numbered. */
export const invoices: Benchmark = {
  name: 'invoices',
  apps: ['sandbox', 'api', 'worker'],

  async run(context) {
    const { admin, db } = context;
    const other = await makeSamples(context, await context.anotherShop());
    await admin.changed('/company', { seller: SELLER });
    await new Promise((resolve) => setTimeout(resolve, SELLER_KNOWN_MS));
    const own = await makeSamples(context, context);
    await untilNumbered(db);
    const pattern = await patternOf(context, own.samples);
    return [await besideBilling(context, own.due, other.due), await numbering(context, pattern)];
  },
};

/** The same subscriptions of two companies: one has a seller, and its documents are numbered meanwhile. */
function besideBilling(
  context: BenchContext,
  withSeller: readonly SubscriptionRow[],
  without: readonly SubscriptionRow[],
): Promise<Measured> {
  const sides = inTurn(
    async () => {
      const round = await billed(context, withSeller);
      await untilNumbered(context.db);
      return round;
    },
    () => billed(context, without),
  );
  return compare(context, { what: 'billing with invoices', unit: 'subscriptions', aim: 0.95 }, sides);
}

/** Payments that succeeded, to numbered invoices with their events. */
async function numbering(context: BenchContext, pattern: Pattern): Promise<Measured> {
  const { db, client, scale, databasePids } = context;
  for (const name of ['invoices', 'invoices_due', 'events']) await copyIndexes(db, name, `bare_${name}`);
  const count = chargesOf(scale) * 3;
  const biller = context.pidOf('worker');
  const sides = inTurn(
    async () => {
      await whilePaused(biller, () => layOut(db, pattern, count));
      const round = await measured({ biller, ...databasePids }, count, () => untilNumbered(db));
      const made = await db.collection('invoices').countDocuments();
      if (made !== count) throw new Error(`${String(made)} of ${String(count)} invoices were made`);
      return round;
    },
    async () => {
      await layOut(db, pattern, count, 'bare_');
      return measured({ biller: process.pid, ...databasePids }, count, () => numberBarely(client, pattern));
    },
  );
  return compare(context, { what: 'payments to invoices', unit: 'invoices', aim: 0.3 }, sides);
}

async function untilNumbered(db: mongo.Db): Promise<void> {
  const left = () => db.collection('invoices_due').countDocuments();
  await untilNoneLeft('invoices to be numbered', left, LOOK_MS);
}
