import { eventually, idIn, type Receiver } from '@commerce/testing';

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
