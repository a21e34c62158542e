import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { alternate } from '../measure/alternate.mjs';
import { startCpu } from '../measure/cpu.mjs';
import { untilNoneLeft, whilePaused } from '../measure/pausing.mjs';
import { copyIndexes } from '../measure/same-indexes.mjs';
import { makeDueSubscriptions, samplesOf } from './samples.mjs';

const { BSON, ObjectId } = mongoose.mongo;

/** Customers with a card; the subscriptions are shared out among them. */
const CUSTOMERS = 20;

/** What the worker has under way: four jobs of five subscriptions that wait for the provider. */
const ABREAST = 20;

/** Due subscriptions to settled payments, against the same writes and calls alone. */
export const billing = {
  key: 'c',
  name: 'billing',
  title: 'Billing of due subscriptions',
  apps: ['sandbox', 'api', 'worker'],
  // The provider's notices would keep the API busy on the same cores, and are no part of what is compared.
  env: { SANDBOX_NOTICE_TYPES: 'none' },

  about(scale) {
    return `${subscriptionsOf(scale).toLocaleString('en-US')} subscriptions of a monthly plan, paid in advance, fall due at once. A sweep finds them, jobs carry ids
through Redis, and the worker decides for each what is owed, commits the payment, charges the card at the sandbox
through Stripe's SDK, and settles payment and subscription in a second commit; meanwhile its relay gives the events
their places in the log. The bare loop runs the same two transactions with the same rows and indexes and the same call
by undici, ${ABREAST} abreast like the worker; it reads nothing, decides nothing and would lose count in a crash.`;
  },

  /** @param {import('../context.mjs').Context} context */
  async run(context) {
    const { db, stack, scale, say } = context;
    const due = await whilePaused(stack.pids.worker, async () => {
      const ids = await makeDueSubscriptions(context, CUSTOMERS);
      const made = { _id: { $in: ids.map((id) => new ObjectId(id)) } };
      return db.collection('subscriptions').find(made).toArray();
    });
    const samples = await samplesOf(db, due);
    for (const name of ['subscriptions', 'payments', 'events']) await copyIndexes(db, name, `bare_${name}`);
    const result = await alternate({
      rounds: scale.rounds,
      ours: () => bill(context, due),
      bare: () => billBarely(context, due, samples),
      say,
    });
    return [{ what: 'due to settled', unit: 'subscriptions', aim: 0.4, result }];
  },
};

const subscriptionsOf = ({ things }) => things / 5;

async function bill({ db, stack, scale }, due) {
  const count = subscriptionsOf(scale);
  const [subscriptions, payments] = [db.collection('subscriptions'), db.collection('payments')];
  await clear(db, 'events', 'payments', 'subscriptions');
  const { worker } = stack.pids;
  await whilePaused(worker, () => layOut(subscriptions, due, count));
  const cpuOf = startCpu({ biller: worker, ...others(stack.pids) });
  const started = performance.now();
  await untilNoneLeft('subscriptions to be billed', async () => {
    const due = await subscriptions.countDocuments({ wake_at: { $lte: new Date() } });
    return due > 0 ? due : payments.countDocuments({ check_at: { $type: 'date' } });
  });
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuOf(count);
  const paid = await payments.countDocuments({ status: 'SUCCEEDED' });
  if (paid !== count) throw new Error(`${paid} of ${count} subscriptions were paid`);
  return { rate: count / seconds, cpu };
}

async function billBarely({ db, stack, scale, dataDir, runScript }, due, samples) {
  await clear(db, 'bare_events', 'bare_payments', 'bare_subscriptions');
  await layOut(db.collection('bare_subscriptions'), due, subscriptionsOf(scale));
  const spec = { samples, abreast: ABREAST, pids: others(stack.pids) };
  const file = join(dataDir, 'billing.json');
  writeFileSync(file, BSON.EJSON.stringify(spec));
  return runScript('billing/bare-loop.mjs', [file]);
}

const others = ({ MongoDB: database, sandbox }) => ({ ...(database ? { database } : {}), sandbox });

async function clear(db, ...names) {
  for (const name of names) await db.collection(name).deleteMany({});
}

/** Subscriptions that are due, the customers' in turns. */
async function layOut(subscriptions, due, count) {
  const rows = Array.from({ length: count }, (_, index) => ({
    ...due[index % due.length],
    _id: new ObjectId(),
    human_id: randomBytes(4).toString('hex'),
  }));
  for (let from = 0; from < count; from += 1000)
    await subscriptions.insertMany(rows.slice(from, from + 1000));
}
