import { createHmac } from 'node:crypto';

import { getConnectionToken } from '@nestjs/mongoose';
import { Client, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

function read(id: string): Promise<any> {
  return world.admin.read(`/webhooks/${id}`);
}

describe('POST /webhooks', () => {
  it('verifies the endpoint and replies with a generated secret', async () => {
    const { receiver, id, webhook } = await world.listening();
    expect(webhook).toMatchObject({
      _cls: 'Webhook',
      event_type: 'user.created',
      endpoint: receiver.url,
      active: true,
      deleted: false,
      verified: true,
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
      const made = await world.admin.made('/webhooks', {
        event_type: 'user.created',
        endpoint: receiver.url,
      });
      expect(made).toMatchObject({ verified: false });
      expect(await read(idIn(made))).toMatchObject({ verified: false });
    }
  });

  it('does not send to an endpoint that was never verified', async () => {
    const receiver = await world.receiver();
    receiver.answers(500);
    const made = await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
    receiver.answers(200);
    const other = await world.listening();
    await world.user();
    await other.receiver.untilKinds('user.created');
    expect(receiver.messages).toEqual([]);
    expect(await world.admin.read(`/webhooks/${idIn(made)}/deliveries`)).toEqual([]);
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

describe('PUT /webhooks/<id>', () => {
  it('withdraws the verification with the endpoint, and sends nothing to the old one', async () => {
    const { receiver, id } = await world.listening();
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
    const { receiver, id } = await world.listening();
    const same = await world.admin.put(`/webhooks/${id}`, {
      endpoint: receiver.url,
      event_type: 'user.updated',
    });
    expect(same.body).toMatchObject({ verified: true, event_type: 'user.updated' });
  });

  it('stops and starts it', async () => {
    const { receiver, id } = await world.listening();
    await world.admin.put(`/webhooks/${id}`, { active: false });
    await world.user({ name: 'unheard' });
    await world.admin.put(`/webhooks/${id}`, { active: true });
    await world.user({ name: 'heard' });
    await receiver.untilKinds('user.created');
    expect(receiver.messages.map((one) => one.json.object.name)).toEqual(['heard']);
  });

  it('refuses values that the interface does not have', async () => {
    const { id } = await world.listening();
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
    const { receiver, id } = await world.listening();
    const other = await world.listening();
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
    const { id } = await world.listening();
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

describe('GET /webhooks', () => {
  it('lists a page of them, with their secrets', async () => {
    await world.listening();
    await world.listening();
    const response = await world.admin.get('/webhooks', { size: 2, sort: '-created', total: true });
    expect(response.body).toHaveLength(2);
    expect(Number(response.headers['x-total-count'])).toBeGreaterThan(2);
    for (const webhook of response.body) expect(webhook.secret).toMatch(/^[0-9a-f]{64}$/);
  });

  it('shows nothing of another company', async () => {
    const { id } = await world.listening();
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
    const { webhook, id } = await world.listening();
    const connection = world.api.get<Connection>(getConnectionToken());
    const rows = await connection.collection('webhooks').find().toArray();
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row._id.toHexString())).toContain(id);
    expect(JSON.stringify(rows)).not.toContain(webhook.secret);
  });
});
