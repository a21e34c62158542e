import { eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  // A port without a listener.
  world = await World.start({
    env: { REDIS_URL: 'redis://127.0.0.1:1', WEBHOOK_RETRY_DELAYS: '100ms,100ms' },
  });
}, 60_000);
afterAll(() => world.stop());

describe('Without Redis', () => {
  it('events are delivered, retried, simulated and replayed', async () => {
    const receiver = await world.receiver();
    const hook = await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    receiver.answers((_, count) => (count < 4 ? 500 : 200));
    await world.user();
    await receiver.until(() => receiver.messages.length === 3);
    expect(receiver.messages.map(({ headers }) => headers['x-service-webhook-retries'])).toEqual([
      '0',
      '1',
      '2',
    ]);
    expect((await world.admin.post(`/webhooks/${idIn(hook)}/simulate`)).status).toBe(204);
    await receiver.until(() => receiver.messages.length === 4);
    const [event]: any[] = await eventually(
      () => world.admin.read('/events'),
      (all: any[]) => all.length === 1,
    );
    await world.admin.made(`/events/${String(event.id)}/replay`);
    await receiver.until(() => receiver.messages.length === 5);
  }, 60_000);

  it('limits continue to work', async () => {
    const receiver = await world.receiver();
    const hook = await world.admin.made('/webhooks', { event_type: 'user.updated', endpoint: receiver.url });
    const statuses = [];
    for (let index = 0; index < 7; index += 1) {
      statuses.push((await world.admin.post(`/webhooks/${idIn(hook)}/verify`)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });
});
