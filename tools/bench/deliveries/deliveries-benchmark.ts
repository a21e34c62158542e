import type { BenchContext, Benchmark } from '../context.js';
import { copyIndexes, empty } from '../measure/collections.js';
import { compare, inTurn, type Measured, type Round } from '../measure/compare.js';
import { measured } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/waiting.js';
import { BareSender, type Way } from './bare-loop.js';
import { startSink } from './listening.js';
import { KINDS, makePattern, newDeliveries, newEvents, type Pattern } from './pattern.js';

/** The calls of the worker in flight to one endpoint. */
const PER_ENDPOINT = 5;
/** The bare loop ends at once: a longer wait between two looks at the worker would add to the worker's time alone. */
const LOOK_MS = 20;

type Sink = Awaited<ReturnType<typeof startSink>>;

/** Events in the outbox, or overdue deliveries, to recorded attempts, against reading, signing, sending, recording. */
export const deliveries: Benchmark = {
  name: 'deliveries',
  apps: ['api', 'worker'],

  async run(context) {
    const { db } = context;
    const sink = await startSink(context, KINDS);
    const pattern = await makePattern(context, () => untilRecorded(context));
    await copyIndexes(db, 'events', 'bare_events');
    await copyIndexes(db, 'deliveries', 'bare_deliveries');
    const paths = KINDS.map((_, index) => `/${String(index)}`);
    const sender = new BareSender(db, sink.url, paths, PER_ENDPOINT * paths.length);
    const compared: Measured[] = [];
    for (const way of ['due', 'events'] as const) {
      const what = `${way} to recorded`;
      const sides = inTurn(
        () => deliver(context, sink, pattern, way),
        () => sendBarely(context, { sink, sender }, pattern, way),
      );
      compared.push(await compare(context, { what, unit: 'deliveries', aim: 0.45 }, sides));
    }
    await sink.child.stop();
    return compared;
  },
};

/** Until every event has its deliveries and each of them is recorded. */
async function untilRecorded({ db }: BenchContext): Promise<void> {
  // The index of what is due holds no recorded delivery: the count reads those that are left.
  const left = { next_attempt: { $gt: new Date(0) } };
  const countLeft = async (): Promise<number> =>
    (await db.collection('events').countDocuments({ pending: true })) ||
    db.collection('deliveries').countDocuments(left);
  await untilNoneLeft('deliveries to be recorded', countLeft, LOOK_MS);
}

/** Writes events, and their deliveries where these are due. */
async function layOut(
  { db }: BenchContext,
  pattern: Pattern,
  { prefix = '', count, way }: { prefix?: string; count: number; way: Way },
): Promise<void> {
  await empty(db, `${prefix}events`, `${prefix}deliveries`);
  const events = newEvents(pattern, count, (index) =>
    way === 'due' ? { position: index + 1 } : { pending: true },
  );
  await db.collection(`${prefix}events`).insertMany(events);
  if (way === 'due') await db.collection(`${prefix}deliveries`).insertMany(newDeliveries(pattern, events));
}

async function deliver(context: BenchContext, sink: Sink, pattern: Pattern, way: Way): Promise<Round> {
  const { db, admin, databasePids } = context;
  const { things } = context.scale;
  const calls = async (): Promise<number> =>
    ((await (await fetch(`${sink.url}/calls`)).json()) as { calls: number }).calls;
  const before = await calls();
  const worker = context.pidOf('worker');
  await whilePaused(worker, async () => {
    await layOut(context, pattern, { count: way === 'due' ? things : things - 1, way });
    // The API commits the last event, and notifies the worker as it does in production.
    if (way === 'events') await admin.made('/users', { name: 'Ada Lovelace' });
  });
  const round = await measured({ sender: worker, sink: sink.pid, ...databasePids }, things, async () => {
    await untilNoneLeft('deliveries to be sent', async () => before + things - (await calls()), LOOK_MS);
    await untilRecorded(context);
  });
  const succeeded = await db.collection('deliveries').countDocuments({ status: 'SUCCEEDED' });
  if (succeeded !== things) throw new Error(`${String(succeeded)} of ${String(things)} deliveries succeeded`);
  return round;
}

async function sendBarely(
  context: BenchContext,
  { sink, sender }: { sink: Sink; sender: BareSender },
  pattern: Pattern,
  way: Way,
): Promise<Round> {
  const { db, scale, databasePids } = context;
  await layOut(context, pattern, { prefix: 'bare_', count: scale.things, way });
  if (way === 'events') await db.collection('bare_deliveries').insertOne({ ...pattern.delivery });
  const pids = { sender: process.pid, sink: sink.pid, ...databasePids };
  return measured(pids, scale.things, () => sender.run(way));
}
