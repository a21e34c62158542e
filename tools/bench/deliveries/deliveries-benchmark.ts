import mongoose from 'mongoose';
import { alternate } from '../measure/alternate.mjs';
import { startCpu } from '../measure/cpu.mjs';
import { untilNoneLeft, whilePaused } from '../measure/pausing.mjs';

const { ObjectId } = mongoose.mongo;

/** One webhook for each, so that an event has one delivery. */
const KINDS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'order.created',
  'order.updated',
  'order.cancelled',
  'subscription.created',
  'subscription.updated',
  'payment.created',
  'payment.succeeded',
];

/** What the worker has in flight to one endpoint. */
const PER_ENDPOINT = 5;

/** Events that wait in the outbox, to deliveries that are recorded, against signing and sending alone. */
export const deliveries = {
  key: 'b',
  name: 'deliveries',
  title: 'Webhook deliveries',
  apps: ['api', 'worker'],
  env: {},

  about({ things }) {
    return `Two ways to ${things.toLocaleString('en-US')} deliveries that are recorded as succeeded, one for each event. "Due" begins with
deliveries that are overdue, as after an outage; a sweep finds them. "Events" begins with committed events that nobody
has looked at: the relay gives each its place in the log and makes its delivery in one transaction, and jobs with ids
go through Redis. From there both are the same: the worker claims, reads the event and the webhook, signs twice,
sends, and records the attempt. The bare loop signs a body of the same size once and sends it with undici to the same
sink process, ${KINDS.length} endpoints with ${PER_ENDPOINT} calls in flight each like the worker. It writes to no database at all.`;
  },

  /** @param {import('../context.mjs').Context} context */
  async run(context) {
    const { scale, say } = context;
    const sink = await context.startServer('sink', 'deliveries/sink.mjs', {});
    await listenAt(context, sink.url);
    const pattern = await makePattern(context);
    const measured = [];
    for (const [what, layOut] of [
      ['due', layOutDeliveries],
      ['events', layOutEvents],
    ]) {
      const result = await alternate({
        rounds: scale.rounds,
        ours: () => deliver(context, sink.url, () => layOut(context, pattern)),
        bare: () => sendBarely(context, pattern, sink.url),
        say: (text) => say(`${what}: ${text}`),
      });
      measured.push({ what: `${what} to recorded`, unit: 'deliveries', aim: 0.4, result });
    }
    await sink.child.stop();
    return measured;
  },
};

async function listenAt({ call }, url) {
  for (const [index, event_type] of KINDS.entries()) {
    const webhook = await call('POST', '/webhooks', { event_type, endpoint: `${url}${pathOf(index)}` });
    const read = () => call('GET', `/webhooks/${webhook._id.$oid}`);
    await untilNoneLeft('webhooks to be verified', async () => ((await read()).verified ? 0 : 1));
  }
}

const pathOf = (index) => `/hook/${index}`;

/** An event and its delivery as the service writes them, to be copied. */
async function makePattern({ call, db }) {
  const user = await call('POST', '/users', { name: 'Ada Lovelace', email: 'ada@example.com' });
  const object_id = new ObjectId(user._id.$oid);
  const made = () => db.collection('deliveries').countDocuments();
  await untilNoneLeft('deliveries to be made', async () => ((await made()) > 0 ? 0 : 1));
  await untilNoneLeft('deliveries to be recorded', () => waiting(db));
  const event = await db.collection('events').findOne({ object_id });
  const delivery = await db.collection('deliveries').findOne({ event: event._id });
  const webhooks = await db.collection('webhooks').find().toArray();
  return { event, delivery, webhookOf: new Map(webhooks.map((webhook) => [webhook.event_type, webhook])) };
}

async function waiting(db) {
  const pending = await db.collection('events').countDocuments({ pending: true });
  return pending > 0 ? pending : db.collection('deliveries').countDocuments({ status: 'PENDING' });
}

/** The last event is committed by the API, which tells the worker of it as it does in life. */
async function layOutEvents({ db, scale, call }, { event }) {
  await insert(db.collection('events'), scale.things - 1, (index) =>
    eventLike(event, index, { pending: true }),
  );
  await call('POST', '/users', { name: 'Ada Lovelace' });
}

async function layOutDeliveries({ db, scale }, { event, delivery, webhookOf }) {
  const events = await insert(db.collection('events'), scale.things, (index) =>
    eventLike(event, index, { position: index + 1 }),
  );
  const fresh = { status: 'PENDING', attempts: [], attempt: 0, recorded: 0, generation: 0 };
  await insert(db.collection('deliveries'), scale.things, (index) => {
    const { _id, kind, created } = events[index];
    const { _id: webhook, endpoint } = webhookOf.get(kind);
    const own = {
      _id: new ObjectId(),
      event: _id,
      event_type: kind,
      webhook,
      endpoint,
      next_attempt: created,
    };
    return { ...delivery, ...fresh, ...own };
  });
}

/** Inserts as many rows as `make` is asked for, and gives them back. */
async function insert(collection, count, make) {
  const rows = Array.from({ length: count }, (_, index) => make(index));
  for (let from = 0; from < count; from += 1000) await collection.insertMany(rows.slice(from, from + 1000));
  return rows;
}

function eventLike(pattern, index, state) {
  const { position, ...event } = pattern;
  void position;
  const _id = new ObjectId();
  const kind = KINDS[index % KINDS.length];
  const body = JSON.stringify({ ...JSON.parse(pattern.body), id: _id.toHexString(), kind });
  return { ...event, _id, kind, object_id: new ObjectId(), created: new Date(), body, ...state };
}

async function deliver({ db, stack, scale }, url, layOut) {
  const recorded = db.collection('deliveries');
  await Promise.all([recorded.deleteMany({}), db.collection('events').deleteMany({})]);
  const before = await callsOf(url);
  const { worker, MongoDB: database } = stack.pids;
  await whilePaused(worker, layOut);
  const cpuOf = startCpu({ sender: worker, ...(database ? { database } : {}) });
  const started = performance.now();
  await untilNoneLeft('deliveries to be sent', async () => before + scale.things - (await callsOf(url)));
  await untilNoneLeft('deliveries to be recorded', () => waiting(db));
  const seconds = (performance.now() - started) / 1000;
  const cpu = cpuOf(scale.things);
  const succeeded = await recorded.countDocuments({ status: 'SUCCEEDED' });
  if (succeeded !== scale.things) throw new Error(`${succeeded} of ${scale.things} deliveries succeeded`);
  return { rate: scale.things / seconds, cpu };
}

async function callsOf(url) {
  const response = await fetch(`${url}/calls`);
  return (await response.json()).calls;
}

function sendBarely({ scale, runScript }, pattern, url) {
  const { id, ...event } = JSON.parse(pattern.event.body);
  void id;
  const spec = {
    url,
    endpoints: KINDS.map((_, index) => pathOf(index)),
    perEndpoint: PER_ENDPOINT,
    calls: scale.things,
    event: JSON.stringify(event),
  };
  return runScript('deliveries/bare-loop.mjs', [JSON.stringify(spec)]);
}
