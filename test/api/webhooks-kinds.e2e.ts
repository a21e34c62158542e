import { eventually, idIn, type Reply } from '@commerce/testing';
import { Webhook } from 'standardwebhooks';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const SEVERAL = ['user.created', 'user.updated'];

const create = (body: object): Promise<Reply> =>
  world.admin.post('/webhooks', { endpoint: 'http://127.0.0.1:9/', confirm: 'later', ...body });

const paths = ({ status, body }: Reply): unknown => [status, body.errors.map((one: any) => one.path)];

async function hearing(kinds: readonly string[]): Promise<any> {
  const receiver = await world.receiver();
  const webhook = await world.admin.made('/webhooks', { kinds, endpoint: receiver.url });
  return { receiver, webhook, id: idIn(webhook) };
}

describe('kinds of POST /webhooks', () => {
  it('are sent to one endpoint, signed with one secret', async () => {
    const { receiver, webhook } = await hearing(SEVERAL);
    expect(webhook).toMatchObject({ event_type: null, kinds: SEVERAL, verified: true });
    const all = await hearing(['*']);
    expect(all.webhook).toMatchObject({ event_type: null, kinds: ['*'], verified: true });
    const { id } = await world.user();
    await world.admin.put(`/users/${id}`, { name: 'Grace' });
    await world.admin.delete(`/users/${id}`);
    await all.receiver.untilKinds(...SEVERAL, 'user.deleted');
    await receiver.untilKinds(...SEVERAL);
    expect(receiver.kinds().toSorted()).toEqual(SEVERAL);
    expect(all.receiver.kinds().toSorted()).toEqual(['user.created', 'user.deleted', 'user.updated']);
    for (const { raw, headers } of receiver.messages) {
      new Webhook(webhook.signing_secret).verify(raw.toString(), headers as Record<string, string>);
    }
    const deliveries = await world.admin.read(`/webhooks/${idIn(webhook)}/deliveries`);
    expect(deliveries.map((one: any) => one.event_type).toSorted()).toEqual(SEVERAL);
  });

  it('name a single one in event_type too, each once, in any case', async () => {
    const one = await create({ kinds: ['User.Created', 'user.created'] });
    expect(one.body).toMatchObject({ event_type: 'user.created', kinds: ['user.created'] });
    const named = await create({ event_type: 'user.created' });
    expect(named.body).toMatchObject({ event_type: 'user.created', kinds: ['user.created'] });
    const all = await create({ kinds: ['user.created', '*'] });
    expect(all.body).toMatchObject({ event_type: null, kinds: ['*'] });
  });

  it.each([
    ['no kind', {}, 'event_type'],
    ['an empty list', { kinds: [] }, 'kinds'],
    ['an unknown kind', { kinds: ['user.created', 'user.born'] }, 'kinds.1'],
    ['a number', { kinds: [7] }, 'kinds.0'],
    ['a text', { kinds: 'user.created' }, 'kinds'],
    ['both fields', { event_type: 'user.created', kinds: ['user.created'] }, 'kinds'],
    ['more than there are', { kinds: Array.from({ length: 50 }, () => 'user.created') }, 'kinds'],
  ])('refuses %s', async (_case, body, path) => {
    expect(paths(await create(body))).toEqual([422, [path]]);
  });
});

describe('kinds of PUT /webhooks/<id>', () => {
  it('replace those before, and stay where they are left out', async () => {
    const { receiver, id } = await hearing(SEVERAL);
    const changed = await world.admin.put(`/webhooks/${id}`, { kinds: ['user.deleted', 'order.created'] });
    expect(changed.body).toMatchObject({
      event_type: null,
      kinds: ['user.deleted', 'order.created'],
      verified: true,
    });
    const stopped = await world.admin.put(`/webhooks/${id}`, { active: false });
    expect(stopped.body).toMatchObject({ event_type: null, kinds: ['user.deleted', 'order.created'] });
    const back = await world.admin.put(`/webhooks/${id}`, { event_type: 'user.updated', active: true });
    expect(back.body).toMatchObject({ event_type: 'user.updated', kinds: ['user.updated'] });
    const { id: user } = await world.user();
    await world.admin.put(`/users/${user}`, { name: 'Grace' });
    await receiver.untilKinds('user.updated');
    expect(receiver.kinds()).toEqual(['user.updated']);
    expect(paths(await world.admin.put(`/webhooks/${id}`, { event_type: null }))).toEqual([
      422,
      ['event_type'],
    ]);
    expect(await world.admin.read(`/webhooks/${id}`)).toMatchObject({ kinds: ['user.updated'] });
  });
});

describe('POST /webhooks/<id>/simulate', () => {
  it('sends the kind that is asked for, or the first', async () => {
    const { receiver, id } = await hearing(SEVERAL);
    expect((await world.admin.post(`/webhooks/${id}/simulate`, { kind: 'user.updated' })).status).toBe(204);
    await receiver.untilKinds('user.updated');
    expect((await world.admin.post(`/webhooks/${id}/simulate`)).status).toBe(204);
    await receiver.untilKinds('user.created');
    const all = await hearing(['*']);
    expect((await world.admin.post(`/webhooks/${all.id}/simulate`)).status).toBe(204);
    await all.receiver.until(() => all.receiver.messages.length === 1);
    expect(all.receiver.kinds()).toEqual(['order.created']);
  });

  it.each(['order.created', 'user.born'])('refuses %s, which the webhook is not sent', async (kind) => {
    const { receiver, id } = await hearing(SEVERAL);
    expect(paths(await world.admin.post(`/webhooks/${id}/simulate`, { kind }))).toEqual([422, ['kind']]);
    expect(receiver.messages).toEqual([]);
  });
});

describe('POST /events/<id>/replay', () => {
  it('sends an event to webhooks of several kinds and of all', async () => {
    const { id: user } = await world.user();
    const [event] = await eventually(
      () => world.admin.read('/events', { object: user }),
      (events: any[]) => events.length === 1,
    );
    const [several, all, other] = [
      await hearing(SEVERAL),
      await hearing(['*']),
      await hearing(['order.created']),
    ];
    await world.admin.made(`/events/${String(event.id)}/replay`);
    await several.receiver.untilKinds('user.created');
    await all.receiver.untilKinds('user.created');
    expect(other.receiver.messages).toEqual([]);
  });
});

describe('confirm: later', () => {
  it('replies with the secret first, so that the endpoint can check its verification', async () => {
    const receiver = await world.receiver();
    const { body: webhook } = await create({ event_type: 'user.created', endpoint: receiver.url });
    expect(webhook).toMatchObject({ verified: false, secret: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(receiver.received).toEqual([]);
    receiver.answers(({ raw, headers }) => {
      new Webhook(webhook.signing_secret).verify(raw.toString(), headers as Record<string, string>);
      return 204;
    });
    const verified = await world.admin.made(`/webhooks/${idIn(webhook)}/verify`);
    expect(verified).toMatchObject({ verified: true });
    expect(receiver.received.map((one) => one.json.kind)).toEqual(['webhook.confirmation']);
    await world.user();
    await receiver.untilKinds('user.created');
  });

  it('is now unless said, and refuses any other word', async () => {
    const receiver = await world.receiver();
    const body = { event_type: 'user.created', endpoint: receiver.url };
    const made = await world.admin.made('/webhooks', { ...body, confirm: 'NOW' });
    expect([made.verified, receiver.received.length]).toEqual([true, 1]);
    expect(paths(await world.admin.post('/webhooks', { ...body, confirm: 'never' }))).toEqual([
      422,
      ['confirm'],
    ]);
  });
});
