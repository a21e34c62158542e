import { idIn } from '@commerce/testing';
import type { mongo } from 'mongoose';

import type { Benchmark, Measured } from '../benchmark.js';
import { pidOf, type BenchContext } from '../context.js';
import { alternate, oneAfterTheOther } from '../measure/alternate.js';
import { startCpu } from '../measure/cpu.js';
import { untilNoneLeft, whilePaused } from '../measure/pausing.js';
import { copyIndexes, empty } from '../measure/collections.js';
import type { Round } from '../measure/summary.js';
import type { SendSpec } from './bare-loop.js';
import { KINDS, makePattern, newDeliveries, newEvents, type Pattern } from './pattern.js';

/** What the worker has in flight to one endpoint. */
const PER_ENDPOINT = 5;
const BATCH = 1000;
/** The bare loop measures itself; to look at the worker more rarely than this would add to its time. */
const LOOK_MS = 20;

/** Where both sides send. */
interface Sink {
  readonly url: string;
  readonly pid: number;
}

interface Way {
  readonly what: string;
  readonly aim: number | null;
  /** What the worker finds. */
  readonly ours: (context: BenchContext, pattern: Pattern) => Promise<void>;
  /** What the bare loop finds. */
  readonly bare: SendSpec['way'];
}

const WAYS: readonly Way[] = [
  { what: 'due to recorded', aim: 0.45, ours: layOutDeliveries, bare: 'due' },
  { what: 'events to recorded', aim: 0.45, ours: layOutEvents, bare: 'events' },
  { what: 'due to recorded; bare: to sent', aim: null, ours: layOutDeliveries, bare: 'nothing' },
];

/** Events that wait in the outbox, to deliveries that are recorded, against signing and sending alone. */
export const deliveries: Benchmark = {
  key: 'b',
  name: 'deliveries',
  title: 'Webhook deliveries',
  apps: ['api', 'worker'],
  env: {},

  about({ things }) {
    return `Two ways to ${things.toLocaleString('en-US')} deliveries that are recorded as succeeded, one for each event. "Due" begins with
deliveries that are overdue, as after an outage; a sweep finds them. "Events" begins with committed events that nobody
has looked at: the relay gives each its place in the log and makes its delivery in one transaction, and jobs with ids
go through Redis. From there both are the same: the worker takes leases, reads the event and the webhook, signs twice,
sends, and records the attempt. The bare loop reads the same rows, 500 at a time, signs each body once, sends it with
undici to the same sink process, ${String(KINDS.length)} endpoints with ${String(PER_ENDPOINT)} calls in flight each like the worker, and records what it sent
by one call for each 500. It leases nothing, asks no webhook whether it still wants the event, places nothing in a log,
and would send again what it sent before a crash. In the last line it keeps no record at all and only signs and sends.`;
  },

  async run(context) {
    const { scale, say } = context;
    const sink = await context.startServer('sink', 'deliveries/sink.js', {});
    const end = { url: sink.url, pid: pidOf('sink', sink.child.pid) };
    await listenAt(context, sink.url);
    const pattern = await makePattern(context, () => untilRecorded(context.db));
    const measured: Measured[] = [];
    await copyIndexes(context.db, 'events', 'bare_events');
    await copyIndexes(context.db, 'deliveries', 'bare_deliveries');
    for (const { what, aim, ours, bare } of WAYS) {
      const result = await alternate({
        rounds: scale.rounds,
        pair: oneAfterTheOther(
          () => deliver(context, end, () => ours(context, pattern)),
          () => sendBarely(context, pattern, end, bare),
        ),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what, unit: 'deliveries', aim, result });
    }
    await sink.child.stop();
    return measured;
  },
};

const pathOf = (index: number): string => `/hook/${String(index)}`;

async function listenAt({ admin }: BenchContext, url: string): Promise<void> {
  for (const [index, event_type] of KINDS.entries()) {
    const endpoint = `${url}${pathOf(index)}`;
    const id = idIn(await admin.made('/webhooks', { event_type, endpoint }));
    const read = (): Promise<{ verified: boolean }> => admin.read(`/webhooks/${id}`);
    await untilNoneLeft('webhooks to be verified', async () => ((await read()).verified ? 0 : 1));
  }
}

/** Until every event has its deliveries and each of them is recorded. */
async function untilRecorded(db: mongo.Db): Promise<void> {
  // By the index of what is due, which holds none that is recorded: to count those that are left reads no others.
  const left = { next_attempt: { $gt: new Date(0) } };
  await untilNoneLeft(
    'deliveries to be recorded',
    async () => {
      const pending = await db.collection('events').countDocuments({ pending: true });
      return pending > 0 ? pending : db.collection('deliveries').countDocuments(left);
    },
    LOOK_MS,
  );
}

/** The last event is committed by the API, which tells the worker about it as it does in production. */
async function layOutEvents({ db, scale, admin }: BenchContext, pattern: Pattern): Promise<void> {
  await insert(
    db.collection('events'),
    newEvents(pattern, scale.things - 1, () => ({ pending: true })),
  );
  await admin.made('/users', { name: 'Ada Lovelace' });
}

async function layOutDeliveries({ db, scale }: BenchContext, pattern: Pattern): Promise<void> {
  const events = newEvents(pattern, scale.things, (index) => ({ position: index + 1 }));
  await insert(db.collection('events'), events);
  await insert(db.collection('deliveries'), newDeliveries(pattern, events));
}

async function insert(collection: mongo.Collection, rows: readonly mongo.Document[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await collection.insertMany(rows.slice(from, from + BATCH));
}

async function deliver(
  context: BenchContext,
  { url, pid }: Sink,
  layOut: () => Promise<void>,
): Promise<Round> {
  const { db, stack, scale } = context;
  const recorded = db.collection('deliveries');
  const before = await callsOf(url);
  const worker = pidOf('worker', stack.pids.worker);
  await whilePaused(worker, async () => {
    await empty(db, 'events', 'deliveries');
    await layOut();
  });
  const cpuOf = startCpu({ sender: worker, sink: pid, ...context.databasePids });
  const started = performance.now();
  const unsent = async (): Promise<number> => before + scale.things - (await callsOf(url));
  await untilNoneLeft('deliveries to be sent', unsent, LOOK_MS);
  await untilRecorded(db);
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuOf(scale.things);
  const succeeded = await recorded.countDocuments({ status: 'SUCCEEDED' });
  if (succeeded !== scale.things)
    throw new Error(`${String(succeeded)} of ${String(scale.things)} deliveries succeeded`);
  return { rate: scale.things / seconds, cpu };
}

async function callsOf(url: string): Promise<number> {
  const response = await fetch(`${url}/calls`);
  return ((await response.json()) as { calls: number }).calls;
}

async function sendBarely(
  context: BenchContext,
  pattern: Pattern,
  { url, pid }: Sink,
  way: SendSpec['way'],
): Promise<Round> {
  const { things: calls } = context.scale;
  await layOutBare(context, pattern, way);
  const spec: SendSpec = {
    way,
    url,
    endpoints: KINDS.map((_, index) => pathOf(index)),
    perEndpoint: PER_ENDPOINT,
    calls,
    event: pattern.bodyWithoutId,
    pids: { sink: pid, ...context.databasePids },
  };
  return context.runScript('deliveries/bare-loop.js', JSON.stringify(spec));
}

/** As many again, by which the bare loop warms up. */
async function layOutBare(
  { db, scale }: BenchContext,
  pattern: Pattern,
  way: SendSpec['way'],
): Promise<void> {
  const [events, deliveries] = [db.collection('bare_events'), db.collection('bare_deliveries')];
  await empty(db, 'bare_events', 'bare_deliveries');
  if (way === 'nothing') return;
  const state = way === 'due' ? (index: number) => ({ position: index + 1 }) : () => ({ pending: true });
  const rows = newEvents(pattern, 2 * scale.things, state);
  await insert(events, rows);
  await insert(deliveries, way === 'due' ? newDeliveries(pattern, rows) : [{ ...pattern.delivery }]);
}
