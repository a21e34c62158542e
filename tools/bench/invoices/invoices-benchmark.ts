import { setTimeout as sleep } from 'node:timers/promises';

import type { mongo } from 'mongoose';

import { billed, chargesOf } from '../billing/billing-benchmark.js';
import { makeSamples, type Sample } from '../billing/samples.js';
import type { BenchContext, Benchmark } from '../context.js';
import { compare, inTurn, type Measured } from '../measure/compare.js';
import { measured } from '../measure/measured.js';
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

/** What invoices cost beside billing, and how many can be numbered. */
export const invoices: Benchmark = {
  name: 'invoices',
  apps: ['sandbox', 'api', 'worker'],

  async run(context) {
    const other = await makeSamples(context, await context.anotherCompany());
    const { admin } = context;
    await admin.changed('/company', { seller: SELLER });
    await sleep(SELLER_KNOWN_MS);
    const own = await makeSamples(context, admin);
    await untilNumbered(context.db);
    const pattern = await patternOf(context.db, own);
    return [await besideBilling(context, own, other), await numbering(context, pattern)];
  },
};

/** The same subscriptions of two companies: one has a seller, and its documents are numbered meanwhile. */
function besideBilling(
  context: BenchContext,
  withSeller: readonly Sample[],
  without: readonly Sample[],
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
  const { db, client, scale } = context;
  const count = chargesOf(scale) * 3;
  const biller = context.pidOf('worker');
  const sides = inTurn(
    async () => {
      await whilePaused(biller, () => layOut(db, pattern, count));
      const pids = { biller, ...context.pidsOf() };
      const round = await measured(pids, () => untilNumbered(db).then(() => count));
      const made = await db.collection('invoices').countDocuments();
      if (made !== count) throw new Error(`${String(made)} of ${String(count)} invoices were made`);
      return round;
    },
    async () => {
      await layOut(db, pattern, count, 'bare_');
      const pids = { biller: process.pid, ...context.pidsOf() };
      return measured(pids, () => numberBarely(client, pattern).then(() => count));
    },
  );
  return compare(context, { what: 'payments to invoices', unit: 'invoices', aim: 0.3 }, sides);
}

async function untilNumbered(db: mongo.Db): Promise<void> {
  const left = () => db.collection('invoices_due').countDocuments();
  await untilNoneLeft('invoices to be numbered', left);
}
