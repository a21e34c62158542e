import { createHmac } from 'node:crypto';

import { getConnectionToken } from '@nestjs/mongoose';
import { Client, eventually, idIn, type Receiver } from '@commerce/testing';
import type { Connection } from 'mongoose';
import { Webhook } from 'standardwebhooks';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

async function listening(
  kind = 'user.created',
  path = '',
): Promise<{ receiver: Receiver; id: string; webhook: any }> {
  const receiver = await world.receiver();
  const made = await world.admin.made('/webhooks', { event_type: kind, endpoint: `${receiver.url}${path}` });
  return { receiver, id: idIn(made), webhook: made };
}

function read(id: string): Promise<any> {
  return world.admin.read(`/webhooks/${id}`);
}

function deliveriesOf(id: string): Promise<any[]> {
  return world.admin.read(`/webhooks/${id}/deliveries`);
}

/** All deliveries of the webhook, once there are as many and none of them waits. */
function settled(id: string, count = 1): Promise<any[]> {
  return eventually(
    () => deliveriesOf(id),
    (all) => all.length >= count && all.every(({ status }) => status !== 'PENDING'),
  );
}

describe('POST /webhooks', () => {
  it('answers with a generated secret, not verified, and tries to verify the endpoint', async () => {
    const { receiver, id, webhook } = await listening();
    expect(webhook).toMatchObject({
      _cls: 'Webhook',
      event_type: 'user.created',
      endpoint: receiver.url,
      active: true,
      deleted: false,
      verified: false,
      created: { $date: expect.any(Number) },
      updated: { $date: expect.any(Number) },
    });
    expect(webhook.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(webhook.signing_secret).toBe(`whsec_${Buffer.from(webhook.secret).toString('base64')}`);
    expect(await read(id)).toMatchObject({ verified: true, secret: webhook.secret });
    expect(receiver.received).toHaveLength(1);
    const [confirmation] = receiver.received;
    expect(confirmation?.headers['x-service-webhook-type']).toBe('WebhookConfirmation');
    expect(confirmation?.json).toEqual({
      kind: 'webhook.confirmation',
      challenge: expect.stringMatching(/^[0-9a-f]{32}$/),
      webhook: id,
    });
    expect(confirmation?.headers['x-service-webhook-signature']).toBe(
      createHmac('sha256', webhook.secret)
        .update(confirmation?.raw ?? '')
        .digest('hex'),
    );
  });

  it('stays unverified when the endpoint does not answer with 2XX', async () => {
    const receiver = await world.receiver();
    for (const status of [301, 400, 404, 500]) {
      receiver.answers(status);
      const id = idIn(
        await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url }),
      );
      expect(await read(id)).toMatchObject({ verified: false });
    }
  });

  it('does not send to an endpoint that was never verified', async () => {
    const receiver = await world.receiver();
    receiver.answers(500);
    const made = await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    receiver.answers(200);
    const other = await listening();
    await world.user();
    await other.receiver.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
    expect(await deliveriesOf(idIn(made))).toEqual([]);
  });

  it.each([
    [{ event_type: 'user.born', endpoint: 'http://127.0.0.1:9/' }, 'event_type'],
    [{ endpoint: 'http://127.0.0.1:9/' }, 'event_type'],
    [{ event_type: 'user.created' }, 'endpoint'],
    [{ event_type: 'user.created', endpoint: 'ftp://127.0.0.1/' }, 'endpoint'],
    [{ event_type: 'user.created', endpoint: 'http://a:b@127.0.0.1/' }, 'endpoint'],
    [{ event_type: 'user.created', endpoint: 'http://127.0.0.1:0/' }, 'endpoint'],
    [{ event_type: 'user.created', endpoint: 'http://127.0.0.1/\r\nX-Injected: 1' }, 'endpoint'],
    [{ event_type: 'user.created', endpoint: 'http://127.0.0.1:9/', secret: 'mine' }, 'secret'],
    [{ event_type: 'user.created', endpoint: 'http://127.0.0.1:9/', verified: true }, 'verified'],
    [{ event_type: 'user.created', endpoint: 'http://127.0.0.1:9/', active: 'yes' }, 'active'],
  ])('refuses %j', async (body, path) => {
    const response = await world.admin.post('/webhooks', body);
    expect(response.status).toBe(422);
    expect(response.body.errors.map((error: any) => error.path)).toContain(path);
  });

  it('is for admins', async () => {
    const { client } = await world.user();
    const body = { event_type: 'user.created', endpoint: 'http://127.0.0.1:9/' };
    expect((await client.post('/webhooks', body)).status).toBe(403);
    expect((await world.anonymous.post('/webhooks', body)).status).toBe(401);
  });
});

describe('a delivery', () => {
  it('has the shape, the headers and the signatures of the interface', async () => {
    const { receiver, id, webhook } = await listening('user.created', '/hook?a=1');
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
    const first = await listening('user.deleted');
    const second = await listening('user.deleted');
    const other = await listening('user.updated');
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
    const own = await listening();
    await world.user();
    await own.receiver.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
  });

  it('ends when the endpoint answers 410, and switches the webhook off', async () => {
    const { receiver, id } = await listening();
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

describe('PUT /webhooks/<id>', () => {
  it('takes the verification away with the endpoint, and nothing goes to the old one', async () => {
    const { receiver, id } = await listening();
    const next = await world.receiver();
    next.answers(500);
    const changed = await world.admin.put(`/webhooks/${id}`, { endpoint: next.url });
    expect(changed.body).toMatchObject({ endpoint: next.url, verified: false });
    await world.user();
    next.answers(200);
    expect((await world.admin.post(`/webhooks/${id}/verify`)).body).toMatchObject({ verified: true });
    await world.user();
    await next.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
    expect(next.messages).toHaveLength(1);
  });

  it('keeps the verification when the endpoint stays', async () => {
    const { receiver, id } = await listening();
    const same = await world.admin.put(`/webhooks/${id}`, {
      endpoint: receiver.url,
      event_type: 'user.updated',
    });
    expect(same.body).toMatchObject({ verified: true, event_type: 'user.updated' });
  });

  it('stops and starts it', async () => {
    const { receiver, id } = await listening();
    await world.admin.put(`/webhooks/${id}`, { active: false });
    await world.user({ name: 'unheard' });
    await world.admin.put(`/webhooks/${id}`, { active: true });
    await world.user({ name: 'heard' });
    await receiver.untilKinds('user.created');
    expect(receiver.messages.map((one) => one.json.object.name)).toEqual(['heard']);
  });

  it('refuses what the interface does not have', async () => {
    const { id } = await listening();
    for (const body of [
      { secret: 'x' },
      { verified: true },
      { company: id },
      { deleted: true },
      { endpoint: 'x' },
    ]) {
      expect((await world.admin.put(`/webhooks/${id}`, body)).status).toBe(422);
    }
  });
});

describe('DELETE /webhooks/<id>', () => {
  it('keeps the record with its flag and sends nothing more', async () => {
    const { receiver, id } = await listening();
    const other = await listening();
    expect((await world.admin.delete(`/webhooks/${id}`)).body).toMatchObject({ deleted: true });
    expect(await read(id)).toMatchObject({ deleted: true });
    expect((await world.admin.put(`/webhooks/${id}`, { active: false })).status).toBe(404);
    expect((await world.admin.post(`/webhooks/${id}/verify`)).status).toBe(404);
    const listed = await world.admin.read('/webhooks', { size: 100 });
    expect(listed.map(idIn)).not.toContain(id);
    await world.user();
    await other.receiver.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
  });
});

describe('POST /webhooks/<id>/verify', () => {
  it('calls the endpoint again', async () => {
    const receiver = await world.receiver();
    receiver.answers(500);
    const id = idIn(
      await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url }),
    );
    expect((await world.admin.post(`/webhooks/${id}/verify`)).body).toMatchObject({ verified: false });
    receiver.answers(204);
    expect((await world.admin.post(`/webhooks/${id}/verify`)).body).toMatchObject({ verified: true });
    const challenges = receiver.received.map((one) => one.json.challenge);
    expect(new Set(challenges).size).toBe(3);
  });

  it('is allowed six times a minute', async () => {
    const { id } = await listening();
    const statuses: number[] = [];
    let refused: any = null;
    for (let index = 0; index < 8; index += 1) {
      const response = await world.admin.post(`/webhooks/${id}/verify`);
      statuses.push(response.status);
      if (response.status === 429) refused = response;
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
    expect(refused.body).toMatchObject({ code: 'rate.limited', status: 429 });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('POST /webhooks/<id>/simulate', () => {
  it.each(['user.created', 'order.cancelled', 'subscription.activated', 'payment.requires_auth'])(
    'sends a made-up %s, signed like any other',
    async (kind) => {
      const { receiver, id, webhook } = await listening(kind);
      const response = await world.admin.post(`/webhooks/${id}/simulate`);
      expect(response.status).toBe(204);
      await receiver.untilKinds(kind);
      const { json, raw, headers } = receiver.messages[0]!;
      expect(json).toMatchObject({
        kind,
        object_type: kind.split('.')[0],
        previous_data: {},
        url: receiver.url,
        object: { _id: expect.stringMatching(/^[0-9a-f]{24}$/), created: expect.any(Number) },
      });
      new Webhook(webhook.signing_secret).verify(raw.toString(), headers as Record<string, string>);
      expect((await settled(id))[0]).toMatchObject({ status: 'SUCCEEDED', event_type: kind });
    },
  );

  it('leaves no trace in the log', async () => {
    const { receiver, id } = await listening('order.updated');
    await world.admin.post(`/webhooks/${id}/simulate`);
    await receiver.untilKinds('order.updated');
    expect(await world.admin.read('/events', { kind: 'order.updated' })).toEqual([]);
  });

  it('sends nothing to an endpoint that is not verified or not active', async () => {
    const receiver = await world.receiver();
    receiver.answers(500);
    const id = idIn(
      await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url }),
    );
    const response = await world.admin.post(`/webhooks/${id}/simulate`);
    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({ code: 'webhook.state_conflict' });
    expect(receiver.messages).toEqual([]);
  });
});

describe('POST /webhooks/<id>/rotate_secret', () => {
  it('signs by the new secret, and for a day by the old one too', async () => {
    const { receiver, id, webhook } = await listening();
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

describe('GET /webhooks', () => {
  it('lists a page of them, with their secrets', async () => {
    await listening();
    await listening();
    const response = await world.admin.get('/webhooks', { size: 2, sort: '-created' });
    expect(response.body).toHaveLength(2);
    expect(Number(response.headers['x-total-count'])).toBeGreaterThan(2);
    for (const webhook of response.body) expect(webhook.secret).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows nothing of another company', async () => {
    const { id } = await listening();
    const stranger = (await world.stranger()).admin;
    expect(await stranger.read('/webhooks')).toEqual([]);
    for (const [method, path] of [
      ['get', ''],
      ['put', ''],
      ['delete', ''],
      ['post', '/verify'],
      ['post', '/simulate'],
      ['post', '/rotate_secret'],
      ['get', '/deliveries'],
    ] as const) {
      const response = await (stranger as unknown as Record<string, Client['get']>)[method]!.call(
        stranger,
        `/webhooks/${id}${path}`,
      );
      expect([method, path, response.status]).toEqual([method, path, 404]);
    }
  });
});

describe('the secret of a webhook', () => {
  it('does not lie in the database as text', async () => {
    const { webhook, id } = await listening();
    const connection = world.api.get<Connection>(getConnectionToken());
    const rows = await connection.collection('webhooks').find().toArray();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row._id.toHexString())).toContain(id);
    expect(JSON.stringify(rows)).not.toContain(webhook.secret);
  });
});
