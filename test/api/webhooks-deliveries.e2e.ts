import { createHmac } from 'node:crypto';

import { eventually, idIn } from '@commerce/testing';
import { Webhook } from 'standardwebhooks';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

function read(id: string): Promise<any> {
  return world.admin.read(`/webhooks/${id}`);
}

/** The deliveries of the webhook, once there are `count` and none is pending. */
function settled(id: string, count = 1): Promise<any[]> {
  return eventually(
    () => world.admin.read(`/webhooks/${id}/deliveries`),
    (all: any[]) => all.length >= count && all.every(({ status }) => status !== 'PENDING'),
  );
}

describe('a delivery', () => {
  it('has the shape, the headers and the signatures of the interface', async () => {
    const { receiver, id, webhook } = await world.listening('user.created', '/hook?a=1');
    const { record } = await world.user({ name: 'Zoë ✓' });
    await receiver.untilKinds('user.created');
    const [message] = receiver.messages;
    expect(Object.keys(message?.json).sort()).toEqual(
      ['created', 'id', 'kind', 'object', 'object_type', 'previous_data', 'sequence', 'url'].sort(),
    );
    expect(message?.json).toMatchObject({
      kind: 'user.created',
      object_type: 'user',
      previous_data: {},
      sequence: 1,
      url: `${receiver.url}/hook?a=1`,
      object: { _id: idIn(record), name: 'Zoë ✓', company: world.company.toHexString() },
    });
    expect(message?.json.object.created).toBe(record.created.$date);
    expect(message?.path).toBe('/hook?a=1');
    const { headers, raw } = message!;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-webhook-type': 'WebhookMessage',
      'x-service-webhook-retries': '0',
      'x-service-event-retries': '0',
      'webhook-id': message?.json.id,
      'x-service-webhook-signature': createHmac('sha256', webhook.secret).update(raw).digest('hex'),
    });
    expect(headers).not.toHaveProperty('x-service-event-signature');
    new Webhook(webhook.signing_secret).verify(raw.toString(), headers as Record<string, string>);
    const [delivery] = await settled(id);
    expect(delivery).toMatchObject({
      _cls: 'Delivery',
      webhook: { $oid: id },
      event: { $oid: message?.json.id },
      event_type: 'user.created',
      status: 'SUCCEEDED',
      reason: null,
      next_attempt: null,
      attempts: [{ number: 1, status: 200, error: null, reply: 'ok', at: { $date: expect.any(Number) } }],
    });
    expect(JSON.stringify(delivery)).not.toContain(webhook.secret);
  });

  it('also carries the header names of the time before 2019-08-15 for a webhook made then', async () => {
    const receiver = await world.receiver();
    const old = world.admin.with({ 'X-Service-Version': '2019-02-01' });
    await old.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    await world.user();
    await receiver.untilKinds('user.created');
    const { headers } = receiver.messages[0]!;
    expect(headers['x-service-event-type']).toBe('WebhookMessage');
    expect(headers['x-service-event-signature']).toBe(headers['x-service-webhook-signature']);
  });

  it('goes to every webhook of its kind, and to no other', async () => {
    const first = await world.listening('user.deleted');
    const second = await world.listening('user.deleted');
    const other = await world.listening('user.updated');
    const { id } = await world.user();
    await world.admin.delete(`/users/${id}`);
    await Promise.all([
      first.receiver.untilKinds('user.deleted'),
      second.receiver.untilKinds('user.deleted'),
    ]);
    expect(first.receiver.messages[0]?.json.object.deleted).toBe(true);
    expect(first.receiver.messages[0]?.json.previous_data).toEqual({ deleted: false });
    expect(other.receiver.messages).toEqual([]);
  });

  it('does not go to another company', async () => {
    const stranger = await world.stranger();
    const receiver = await world.receiver();
    await stranger.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    const own = await world.listening();
    await world.user();
    await own.receiver.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
  });

  it('ends when the endpoint answers 410, and switches the webhook off', async () => {
    const { receiver, id } = await world.listening();
    receiver.answers(410);
    await world.user();
    const [delivery] = await settled(id);
    expect(delivery).toMatchObject({
      status: 'DROPPED',
      reason: 'endpoint_gone',
      attempts: [{ status: 410 }],
    });
    const gone = await eventually(
      () => read(id),
      (webhook) => webhook.active === false,
    );
    expect(gone).toMatchObject({ active: false, verified: true, reason: 'endpoint_gone' });
    receiver.answers(200);
    await world.user();
    const back = await world.admin.put(`/webhooks/${id}`, { active: true });
    expect(back.body).toMatchObject({ active: true, reason: null });
    await world.user();
    await receiver.until(() => receiver.messages.length === 2);
  });
});

describe('POST /webhooks/<id>/rotate_secret', () => {
  it('signs by the new secret, and for a day by the old one too', async () => {
    const { receiver, id, webhook } = await world.listening();
    const rotated = (await world.admin.post(`/webhooks/${id}/rotate_secret`)).body;
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated.secret).not.toBe(webhook.secret);
    await world.user();
    await receiver.untilKinds('user.created');
    const { headers, raw } = receiver.messages[0]!;
    expect(headers['x-service-webhook-signature']).toBe(
      createHmac('sha256', rotated.secret).update(raw).digest('hex'),
    );
    for (const secret of [webhook.signing_secret, rotated.signing_secret]) {
      new Webhook(secret).verify(raw.toString(), headers as Record<string, string>);
    }
  });
});
