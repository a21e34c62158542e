import type { mongo } from 'mongoose';

import type { BenchContext, Benchmark } from '../context.js';
import { empty } from '../measure/collections.js';
import { compare, inTurn, type Measured } from '../measure/compare.js';
import { measured } from '../measure/measured.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import { BareSender } from './bare-loop.js';
import { startSink } from './listening.js';
import { KINDS, makePattern, newDeliveries, newEvents, type Pattern, type Way } from './pattern.js';

/** Events in the outbox, or overdue deliveries, to recorded attempts, against reading, signing, sending, recording. */
export const deliveries: Benchmark = {
  name: 'deliveries',
  apps: ['api', 'worker'],

  async run(context) {
    const url = await startSink(context, KINDS);
    const pattern = await makePattern(context);
    const sender = new BareSender(context.db, url, pattern);
    const compared: Measured[] = [];
    for (const way of ['due', 'events'] as const)
      compared.push(await compareWay(context, { pattern, sender, way }));
    return compared;
  },
};

function compareWay(
  context: BenchContext,
  { pattern, sender, way }: { pattern: Pattern; sender: BareSender; way: Way },
): Promise<Measured> {
  const { admin, db, scale } = context;
  const { things } = scale;
  const worker = context.pidOf('worker');
  const others = context.pidsOf('sink');
  const sides = inTurn(
    async () => {
      await whilePaused(worker, async () => {
        await layOut(db, pattern, way === 'due' ? things : things - 1, way);
        // The API commits the last event, and notifies the worker as it does in production.
        if (way === 'events') await admin.made('/users', { name: 'Ada Lovelace' });
      });
      const round = await measured({ sender: worker, ...others }, () => untilRecorded(db).then(() => things));
      const succeeded = await db.collection('deliveries').countDocuments({ status: 'SUCCEEDED' });
      if (succeeded !== things)
        throw new Error(`${String(succeeded)} of ${String(things)} deliveries succeeded`);
      return round;
    },
    async () => {
      await layOut(db, pattern, things, way, 'bare_');
      return measured({ sender: process.pid, ...others }, () => sender.run(way).then(() => things));
    },
  );
  return compare(context, { what: `${way} to recorded`, unit: 'deliveries', aim: 0.45 }, sides);
}

/** Until every event has its deliveries and each of them is recorded. */
async function untilRecorded(db: mongo.Db): Promise<void> {
  // The index of what is due holds no recorded delivery: the count reads those that are left.
  const left = { next_attempt: { $gt: new Date(0) } };
  const countLeft = async (): Promise<number> =>
    (await db.collection('events').countDocuments({ pending: true })) ||
    db.collection('deliveries').countDocuments(left);
  await untilNoneLeft('deliveries to be recorded', countLeft);
}

/** Writes events, and their deliveries where these are due. */
async function layOut(db: mongo.Db, pattern: Pattern, count: number, way: Way, prefix = ''): Promise<void> {
  await empty(db, ['events', 'deliveries'], prefix);
  const events = newEvents(pattern, count, way);
  await db.collection(`${prefix}events`).insertMany(events);
  if (way === 'due') await db.collection(`${prefix}deliveries`).insertMany(newDeliveries(pattern, events));
}
