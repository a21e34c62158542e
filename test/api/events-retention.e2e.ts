import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { RetentionSweep } from '@commerce/events';
import { idAt, newId, parseId, type Id } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import type { Collection, Connection } from 'mongoose';

import { createWorker } from '../../apps/worker/src/create-worker.js';
import { World, type Merchant } from '../world.js';

const DAY_MS = 86_400_000;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

function rows(name: 'events' | 'deliveries'): Collection {
  return world.api.get<Connection>(getConnectionToken()).collection(name);
}

/** A unique id with a creation date this many days ago. */
function idOf(days: number): Id {
  const time = idAt(new Date(Date.now() - days * DAY_MS))
    .toHexString()
    .slice(0, 8);
  return parseId(time + newId().toHexString().slice(8))!;
}

/** A merchant with this many events in its log, and their ids. */
async function merchantWith(count: number): Promise<{ merchant: Merchant; ids: string[] }> {
  const merchant = await world.stranger();
  for (let index = 0; index < count; index += 1)
    await merchant.admin.made('/users', { name: `User ${String(index)}` });
  return { merchant, ids: await log(merchant, (all) => all.length === count) };
}

async function log({ admin }: Merchant, wanted: (ids: string[]) => boolean = () => true): Promise<string[]> {
  const read = async (): Promise<string[]> =>
    (await admin.read('/events', { size: 100 })).map(({ id }: any) => id as string);
  return eventually(read, wanted);
}

/** Backdates an event and its deliveries, and returns the event's new id. */
async function age(id: string, days: number): Promise<string> {
  const row = await rows('events').findOne({ _id: parseId(id)! });
  await rows('events').deleteOne({ _id: row!._id, company: row!['company'] as Id });
  const _id = idOf(days);
  const body = (row!['body'] as string).replace(id, _id.toHexString());
  await rows('events').insertOne({ ...row, _id, body });
  await rows('deliveries').updateMany({ event: parseId(id)! }, { $set: { event: _id } });
  return _id.toHexString();
}

/** Backdates several events in turn; their new ids follow the order of the log. */
async function ageAll(ids: readonly string[], days: number): Promise<string[]> {
  const aged: string[] = [];
  for (const id of ids) aged.push(await age(id, days));
  return aged;
}

function delivery(company: Id, values: object): Record<string, unknown> & { _id: Id } {
  const base = { _cls: 'Delivery', webhook: newId(), event: newId(), event_type: 'user.created' };
  const old = new Date(Date.now() - 31 * DAY_MS);
  const state = { status: 'SUCCEEDED', attempts: [], generation: 1, attempt: 1, recorded: 1 };
  const dates = { created: old, updated: old };
  return { _id: idOf(31), company, ...base, ...state, ...dates, endpoint: 'http://x.test', ...values };
}

/** One pass, as a worker runs it at its start. */
async function sweep(env: Record<string, string> = {}): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  let worker: INestApplicationContext | null = null;
  try {
    worker = await createWorker();
    await worker.get(RetentionSweep).sweep();
  } finally {
    process.env = before;
    await worker?.close();
  }
}

describe('events older than EVENT_RETENTION_DAYS', () => {
  it('are removed from the front of the log, and the rest stays as it was', async () => {
    const { merchant, ids } = await merchantWith(5);
    const gone = await ageAll(ids.slice(0, 3), 91);
    expect(await log(merchant)).toHaveLength(5);
    await sweep();
    expect(await log(merchant)).toEqual(ids.slice(3));
    for (const id of gone) expect((await merchant.admin.get(`/events/${id}`)).status).toBe(404);
    expect(await merchant.admin.read('/events', { after: ids[3]! })).toHaveLength(1);
  });

  it('are answered by 410 with the oldest event left', async () => {
    const { merchant, ids } = await merchantWith(3);
    const gone = [await age(ids[0]!, 95), await age(ids[1]!, 91)];
    await sweep();
    for (const after of gone) {
      const { status, body } = await merchant.admin.get('/events', { after });
      expect([status, body.code, body.oldest]).toEqual([410, 'event.expired', ids[2]]);
    }
    // Ids that were never in the log, or only in another company's, stay unknown.
    for (const after of [newId().toHexString(), 'f'.repeat(24)])
      expect((await merchant.admin.get('/events', { after })).status).toBe(422);
    const other = (await merchantWith(1)).merchant;
    expect((await other.admin.get('/events', { after: gone[0]! })).status).toBe(422);
  });

  it('leave a log that reports it when all of them are gone', async () => {
    const { merchant, ids } = await merchantWith(1);
    const after = await age(ids[0]!, 91);
    await sweep();
    const { status, body } = await merchant.admin.get('/events', { after });
    expect([status, body.oldest]).toEqual([410, null]);
    await merchant.admin.made('/users', { name: 'Next' });
    const [next] = await log(merchant, (all) => all.length === 1);
    expect((await merchant.admin.get('/events', { after })).body.oldest).toBe(next);
  });

  it('stay while a delivery of them waits, and so do the later ones', async () => {
    const { merchant, ids } = await merchantWith(4);
    const old = await ageAll(ids.slice(0, 3), 91);
    const waiting = { status: 'PENDING', next_attempt: new Date(Date.now() + DAY_MS) };
    const { _id } = delivery(merchant.company, {});
    await rows('deliveries').insertOne(
      delivery(merchant.company, { _id, event: parseId(old[1]!)!, ...waiting }),
    );
    await sweep();
    expect(await log(merchant)).toEqual([old[1], old[2], ids[3]]);
    await rows('deliveries').updateOne({ _id }, { $set: { status: 'SUCCEEDED' } });
    await sweep();
    expect(await log(merchant)).toEqual([ids[3]]);
  });

  it('are removed when they were simulated, too', async () => {
    const merchant = await world.stranger();
    const receiver = await world.receiver();
    const hook = await merchant.admin.made('/webhooks', {
      event_type: 'user.created',
      endpoint: receiver.url,
    });
    await merchant.admin.post(`/webhooks/${idIn(hook)}/simulate`);
    await receiver.untilKinds('user.created');
    const filter = { company: merchant.company };
    const ended = (): Promise<number> =>
      rows('deliveries').countDocuments({ ...filter, status: 'SUCCEEDED' });
    await eventually(ended, (count) => count === 1);
    const simulated = { ...filter, simulated: true };
    await age((await rows('events').findOne(simulated))!._id.toHexString(), 91);
    await sweep();
    expect(await rows('events').countDocuments(simulated)).toBe(0);
  });

  it('stay for ever with 0', async () => {
    const { merchant, ids } = await merchantWith(1);
    const old = await age(ids[0]!, 4000);
    const { _id } = delivery(merchant.company, { _id: idOf(4000) });
    await rows('deliveries').insertOne(delivery(merchant.company, { _id }));
    await sweep({ EVENT_RETENTION_DAYS: '0', DELIVERY_RETENTION_DAYS: '0' });
    expect(await log(merchant)).toEqual([old]);
    expect(await rows('deliveries').countDocuments({ _id })).toBe(1);
  });
});

describe('deliveries older than DELIVERY_RETENTION_DAYS', () => {
  it('are removed once they have ended, in any number', async () => {
    const { company } = await world.stranger();
    await rows('deliveries').insertMany(Array.from({ length: 1200 }, () => delivery(company, {})));
    const kept = [
      delivery(company, { status: 'PENDING', next_attempt: new Date(Date.now() + DAY_MS) }),
      delivery(company, { updated: new Date(Date.now() - 29 * DAY_MS) }),
      delivery(company, { _id: idOf(29) }),
    ];
    await rows('deliveries').insertMany(kept);
    await sweep();
    const left = await rows('deliveries').find({ company }).sort({ _id: 1 }).toArray();
    expect(left.map(({ _id }) => _id.toHexString())).toEqual(kept.map(({ _id }) => _id.toHexString()).sort());
  });

  it('take nothing else with them', async () => {
    const database = world.api.get<Connection>(getConnectionToken()).db!;
    const counts = async (): Promise<Record<string, number>> => {
      const names = (await database.collections()).map(({ collectionName }) => collectionName).sort();
      const others = names.filter((name) => name !== 'deliveries' && name !== 'events');
      const found = others.map(async (name) => [name, await database.collection(name).countDocuments()]);
      return Object.fromEntries(await Promise.all(found)) as Record<string, number>;
    };
    const { merchant, ids } = await merchantWith(1);
    const before = await counts();
    await age(ids[0]!, 4000);
    await rows('deliveries').insertOne(delivery(merchant.company, { _id: idOf(4000) }));
    await sweep();
    expect(await log(merchant)).toEqual([]);
    expect(await counts()).toEqual(before);
  });
});
