import { getConnectionToken } from '@nestjs/mongoose';
import { newId } from '@commerce/records';
import { eventually, idIn, type Receiver } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';

/** Longer than the service tolerates a failing endpoint here, a time that is itself long for a busy machine. */
const LONG_ENOUGH_MS = 10_500;

let world: World;
beforeAll(async () => {
  world = await World.start({
    env: {
      WEBHOOK_RETRY_DELAYS: '20ms',
      WEBHOOK_DISABLE_AFTER_DELIVERIES: '3',
      WEBHOOK_DISABLE_AFTER: '10s',
    },
  });
});
afterAll(() => world.stop());

async function listening(): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await world.receiver();
  const made = await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
  return { receiver, id: idIn(made) };
}

async function giveUpOne(id: string, count: number): Promise<void> {
  await world.user();
  await eventually(
    () => world.admin.read(`/webhooks/${id}/deliveries`),
    (all: any[]) => all.filter(({ status }) => status === 'EXHAUSTED').length === count,
  );
}

describe('a webhook whose deliveries are abandoned one after another', () => {
  it('is switched off when that has lasted long enough, and stays verified', async () => {
    const { receiver, id } = await listening();
    receiver.answers(500);
    for (const count of [1, 2, 3]) await giveUpOne(id, count);
    expect(await world.admin.read(`/webhooks/${id}`)).toMatchObject({ active: true });
    await new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS));
    await giveUpOne(id, 4);
    const off = await eventually(
      () => world.admin.read(`/webhooks/${id}`),
      (webhook) => webhook.active === false,
    );
    expect(off).toMatchObject({ verified: true, reason: 'endpoint_failing' });
    const before = receiver.messages.length;
    await world.user();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(receiver.messages).toHaveLength(before);
  });

  it('is not when one arrives in between', async () => {
    const { receiver, id } = await listening();
    receiver.answers(500);
    for (const count of [1, 2]) await giveUpOne(id, count);
    receiver.answers(200);
    await world.user();
    await eventually(
      () => world.admin.read(`/webhooks/${id}/deliveries`, { status: 'SUCCEEDED' }),
      (all: any[]) => all.length === 1,
    );
    receiver.answers(500);
    await new Promise((resolve) => setTimeout(resolve, LONG_ENOUGH_MS));
    await giveUpOne(id, 3);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await world.admin.read(`/webhooks/${id}`)).toMatchObject({ active: true, reason: null });
  });
});

describe('GET /webhooks/<id>/deliveries', () => {
  it('shows them by status, and refuses an unknown one', async () => {
    const { receiver, id } = await listening();
    await world.user();
    await eventually(
      () => world.admin.read(`/webhooks/${id}/deliveries`, { status: 'succeeded' }),
      (all: any[]) => all.length === 1,
    );
    receiver.answers(500);
    await giveUpOne(id, 1);
    expect(await world.admin.read(`/webhooks/${id}/deliveries`)).toHaveLength(2);
    expect((await world.admin.get(`/webhooks/${id}/deliveries`, { status: 'LOST' })).status).toBe(422);
  });
});

describe('GET /webhooks/<id>/health', () => {
  const health = (id: string): Promise<any> => world.admin.read(`/webhooks/${id}/health`);
  const counted = ({ hours }: any): number[] => {
    const sum = (of: string): number => hours.reduce((all: number, one: any) => all + Number(one[of]), 0);
    return [sum('attempts'), sum('failed')];
  };

  it('says that an endpoint is idle, that it delivers, that it fails and since when', async () => {
    const { receiver, id } = await listening();
    const idle = await health(id);
    expect(idle).toMatchObject({ state: 'idle', last_success: null, failing_since: null });
    expect(idle).toMatchObject({ waiting: 0, capped: false, next_attempt: null, complete: true });
    expect([idle.hours.length, ...counted(idle)]).toEqual([24, 0, 0]);
    await world.user();
    const good = await eventually(
      () => health(id),
      ({ state }) => state === 'delivering',
    );
    expect(counted(good)).toEqual([1, 0]);
    expect(good.failing_since).toBeNull();
    receiver.answers(500);
    await giveUpOne(id, 1);
    const [failed] = await world.admin.read(`/webhooks/${id}/deliveries`);
    const bad = await health(id);
    expect(bad).toMatchObject({
      state: 'failing',
      last_success: good.last_success,
      failing_since: failed.attempts[0].at,
    });
    expect(counted(bad)).toEqual([3, 2]);
    receiver.answers(200);
    await world.user();
    await eventually(
      () => health(id),
      ({ state }) => state === 'delivering',
    );
  });

  it('is for admins, and of their own company only', async () => {
    const { id } = await listening();
    const { client } = await world.user();
    expect((await client.get(`/webhooks/${id}/health`)).status).toBe(403);
    const { admin } = await world.stranger();
    expect((await admin.get(`/webhooks/${id}/health`)).status).toBe(404);
  });
});

describe('GET /webhooks/health', () => {
  it('says of each webhook of the list what its own page says', async () => {
    const { admin } = await world.stranger();
    const receivers = [await world.receiver(), await world.receiver(), await world.receiver()];
    const ids: string[] = [];
    for (const [index, kind] of ['user.created', 'user.created', 'user.updated'].entries()) {
      const made = await admin.made('/webhooks', { event_type: kind, endpoint: receivers[index]!.url });
      ids.push(idIn(made));
    }
    receivers[0]!.answers(500);
    await admin.made('/users', { name: 'Ada' });
    const all = await eventually(
      () => admin.read('/webhooks/health', { sort: 'created' }),
      (found: any[]) => found[0]?.state === 'failing' && found[1]?.state === 'delivering',
    );
    expect(all.map(({ webhook, state }: any) => [webhook.$oid, state])).toEqual([
      [ids[0], 'failing'],
      [ids[1], 'delivering'],
      [ids[2], 'idle'],
    ]);
    for (const { webhook, ...listed } of all.slice(1)) {
      expect(await admin.read(`/webhooks/${String(webhook.$oid)}/health`)).toMatchObject(listed);
    }
    const second = await admin.read('/webhooks/health', { sort: 'created', size: 1, page: 1 });
    expect(second.map(({ webhook }: any) => webhook.$oid)).toEqual([ids[1]]);
  });

  it('is for admins, and of their own company only', async () => {
    await listening();
    const { client } = await world.user();
    expect((await client.get('/webhooks/health')).status).toBe(403);
    const { admin } = await world.stranger();
    expect(await admin.read('/webhooks/health')).toEqual([]);
  });
});

describe('GET /operations', () => {
  it('names the endpoints that due deliveries wait for', async () => {
    const { admin, company } = await world.stranger();
    const [dead, other] = [await world.receiver(), await world.receiver()];
    const made = async (endpoint: string): Promise<string> =>
      idIn(await admin.made('/webhooks', { event_type: 'user.created', endpoint }));
    const [id, second] = [await made(dead.url), await made(other.url)];
    const now = Date.now();
    const rows = [id, id, second].map((webhook, index) => ({
      _id: newId(),
      company,
      webhook: new Types.ObjectId(webhook),
      event: newId(),
      event_type: 'user.created',
      endpoint: dead.url,
      status: 'PENDING',
      attempts: [],
      created: new Date(now),
      updated: new Date(now),
      next_attempt: new Date(now - 1000 * (index + 1)),
      generation: 1,
      attempt: 1,
      recorded: 0,
      round_start: 0,
    }));
    // Without a worker they stay due.
    await world.worker?.close();
    await world.api.get<Connection>(getConnectionToken()).collection('deliveries').insertMany(rows);
    const { work, endpoints, billing_hold, held, held_capped } = await admin.read('/operations');
    expect(work.find((one: any) => one.work === 'deliveries')).toMatchObject({
      due: 3,
      capped: false,
      since: { $date: now - 3000 },
    });
    expect(endpoints).toEqual([
      { webhook: { $oid: id }, endpoint: dead.url, due: 2 },
      { webhook: { $oid: second }, endpoint: other.url, due: 1 },
    ]);
    expect({ billing_hold, held, held_capped }).toEqual({ billing_hold: null, held: 0, held_capped: false });
    expect(await admin.read(`/webhooks/${id}/health`)).toMatchObject({
      waiting: 2,
      next_attempt: { $date: now - 2000 },
    });
    const another = await world.stranger();
    expect((await another.admin.read('/operations')).endpoints).toEqual([]);
  });
});
