import { eventually, idIn, type Receiver } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ env: { WEBHOOK_RETRY_DELAYS: '100ms,150ms,200ms,250ms' } });
});
afterAll(() => world.stop());

async function listening(kind = 'user.created'): Promise<{ receiver: Receiver; id: string }> {
  const receiver = await world.receiver();
  const made = await world.admin.made('/webhooks', { event_type: kind, endpoint: receiver.url });
  return { receiver, id: idIn(made) };
}

function delivery(id: string, wanted: (one: any) => boolean): Promise<any> {
  return eventually(
    async () => (await world.admin.read(`/webhooks/${id}/deliveries`))[0],
    (one) => one !== undefined && wanted(one),
  );
}

function quiet(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1000));
}

describe('a delivery that fails', () => {
  it('is tried five times with the same bytes and id, and no more', async () => {
    const { receiver, id } = await listening();
    receiver.answers(500);
    await world.user();
    const exhausted = await delivery(id, ({ status }) => status !== 'PENDING');
    expect(exhausted).toMatchObject({ status: 'EXHAUSTED', reason: 'no_attempt_left', next_attempt: null });
    expect(exhausted.attempts.map((one: any) => [one.number, one.status])).toEqual([
      [1, 500],
      [2, 500],
      [3, 500],
      [4, 500],
      [5, 500],
    ]);
    await quiet();
    const { messages } = receiver;
    expect(messages.map(({ headers }) => headers['x-service-webhook-retries'])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(messages.map(({ headers }) => headers['x-service-event-retries'])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(new Set(messages.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
    expect(new Set(messages.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const at = messages.map((one) => one.at);
    [100, 150, 200, 250].forEach((wait, index) => {
      expect(at[index + 1]! - at[index]!).toBeGreaterThanOrEqual(wait * 0.8 - 20);
    });
  });

  it('succeeds with a later attempt', async () => {
    const { receiver, id } = await listening();
    receiver.answers(() => (receiver.messages.length < 3 ? 503 : 200));
    await world.user();
    const done = await delivery(id, ({ status }) => status === 'SUCCEEDED');
    expect(done.attempts.map((one: any) => one.status)).toEqual([503, 503, 200]);
  });

  it.each([
    [
      'deactivated',
      'webhook_inactive',
      (id: string) => world.admin.put(`/webhooks/${id}`, { active: false }),
    ],
    ['deleted', 'webhook_deleted', (id: string) => world.admin.delete(`/webhooks/${id}`)],
    [
      'given another endpoint',
      'endpoint_changed',
      (id: string) => world.admin.put(`/webhooks/${id}`, { endpoint: 'http://127.0.0.1:9/' }),
    ],
  ])('is abandoned when its webhook is %s meanwhile', async (_what, reason, change) => {
    const { receiver, id } = await listening();
    receiver.answers(500);
    await world.user();
    await receiver.until(() => receiver.messages.length >= 1);
    expect((await change(id)).status).toBe(200);
    const before = receiver.messages.length;
    const dropped = await delivery(id, ({ status }) => status !== 'PENDING');
    expect(dropped).toMatchObject({ status: 'DROPPED', reason });
    await quiet();
    // One attempt may have been in flight when the webhook was changed.
    expect(receiver.messages.length).toBeLessThanOrEqual(before + 1);
  });
});

describe('POST /deliveries/<id>/retry', () => {
  it('makes one more attempt of an abandoned delivery', async () => {
    const { receiver, id } = await listening();
    receiver.answers(500);
    await world.user();
    const exhausted = await delivery(id, ({ status }) => status === 'EXHAUSTED');
    const again = await world.admin.post(`/deliveries/${idIn(exhausted)}/retry`);
    expect(again.body).toMatchObject({ status: 'PENDING', reason: null });
    const failed = await delivery(
      id,
      ({ attempts, status }) => attempts.length === 6 && status !== 'PENDING',
    );
    expect(failed).toMatchObject({ status: 'EXHAUSTED' });
    expect(receiver.messages[5]?.headers['x-service-webhook-retries']).toBe('5');
    receiver.answers(200);
    await world.admin.made(`/deliveries/${idIn(exhausted)}/retry`);
    await delivery(id, ({ status }) => status === 'SUCCEEDED');
    expect(new Set(receiver.messages.map(({ raw }) => raw.toString('hex'))).size).toBe(1);
    await quiet();
    expect(receiver.messages).toHaveLength(7);
  });

  it('reports when the webhook would not get it', async () => {
    const { receiver, id } = await listening();
    await world.user();
    const done = await delivery(id, ({ status }) => status === 'SUCCEEDED');
    await world.admin.put(`/webhooks/${id}`, { active: false });
    const response = await world.admin.post(`/deliveries/${idIn(done)}/retry`);
    expect(response.status).toBe(409);
    expect(response.body.code).toBe('delivery.state_conflict');
    expect(receiver.messages).toHaveLength(1);
  });

  it("does not know another company's deliveries", async () => {
    const { id } = await listening();
    await world.user();
    const done = await delivery(id, ({ status }) => status === 'SUCCEEDED');
    const stranger = (await world.stranger()).admin;
    expect((await stranger.post(`/deliveries/${idIn(done)}/retry`)).status).toBe(404);
    expect((await stranger.get(`/deliveries/${idIn(done)}`)).status).toBe(404);
  });
});

describe('POST /events/<id>/replay', () => {
  it('begins a new round of attempts, and reaches webhooks that are newer than the event', async () => {
    const { receiver, id } = await listening('user.updated');
    receiver.answers(500);
    const user = await world.user();
    await user.client.put(`/users/${user.id}`, { name: 'Changed' });
    const exhausted = await delivery(id, ({ status }) => status === 'EXHAUSTED');
    const newer = await listening('user.updated');
    const event = exhausted.event.$oid as string;
    receiver.answers(() => (receiver.messages.length < 7 ? 500 : 200));
    const replayed = await world.admin.made(`/events/${event}/replay`);
    expect(replayed).toHaveLength(2);
    await newer.receiver.untilKinds('user.updated');
    await delivery(id, ({ status }) => status === 'SUCCEEDED');
    expect(receiver.messages.map(({ headers }) => headers['x-service-webhook-retries'])).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '0',
      '1',
    ]);
    expect(newer.receiver.messages[0]?.json).toMatchObject({ id: event, url: newer.receiver.url });
  });
});

describe('an endpoint', () => {
  it('has at most five concurrent calls, and does not delay another one', async () => {
    const slow = await listening('user.deleted');
    const quick = await listening('user.deleted');
    let now = 0;
    let most = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    slow.receiver.answers(async () => {
      now += 1;
      most = Math.max(most, now);
      await released;
      now -= 1;
      return 200;
    });
    const users = await Promise.all(Array.from({ length: 20 }, () => world.user()));
    await Promise.all(users.map(({ id }) => world.admin.delete(`/users/${id}`)));
    // The quick endpoint receives all twenty while the slow one still delays its replies.
    await quick.receiver.until(() => quick.receiver.messages.length === 20);
    expect(now).toBeLessThanOrEqual(5);
    release();
    await slow.receiver.until(() => slow.receiver.messages.length === 20, 30_000);
    expect(most).toBe(5);
  });

  it('that fails ten times in a row is paused, without using up attempts', async () => {
    const { receiver, id } = await listening('user.deleted');
    receiver.answers(500);
    const users = await Promise.all(Array.from({ length: 30 }, () => world.user()));
    await Promise.all(users.map((user) => world.admin.delete(`/users/${user.id}`)));
    await quiet();
    await quiet();
    const count = receiver.messages.length;
    expect(count).toBeGreaterThanOrEqual(10);
    // Five attempts may have been in flight when the tenth failed.
    expect(count).toBeLessThanOrEqual(14);
    const all: any[] = await world.admin.read(`/webhooks/${id}/deliveries`, { size: 100 });
    expect(all).toHaveLength(30);
    expect(all.flatMap(({ attempts }) => attempts)).toHaveLength(count);
    const waiting = all.filter(({ status }) => status === 'PENDING');
    expect(waiting.length).toBeGreaterThanOrEqual(20);
  });
});
