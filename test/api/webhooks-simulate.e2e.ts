import { EVENT_KINDS } from '@commerce/kernel';
import { openField } from '@commerce/platform';
import { getConnectionToken } from '@nestjs/mongoose';
import { eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';
import { Webhook } from 'standardwebhooks';

import { Scenario } from '../flows/scenario.js';
import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** The deliveries of the webhook, once there are `count` and none is pending. */
function settled(id: string, count = 1): Promise<any[]> {
  return eventually(
    () => world.admin.read(`/webhooks/${id}/deliveries`),
    (all: any[]) => all.length >= count && all.every(({ status }) => status !== 'PENDING'),
  );
}

describe('POST /webhooks/<id>/simulate', () => {
  it.each(['user.created', 'order.cancelled', 'subscription.activated', 'payment.requires_auth'])(
    'sends a made-up %s, signed like any other',
    async (kind) => {
      const { receiver, id, webhook } = await world.listening(kind);
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
    const { receiver, id } = await world.listening('order.updated');
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

describe('a simulated event', () => {
  let real: readonly any[];

  /** Real events of users, orders, subscriptions, payments and invoices. */
  beforeAll(async () => {
    const { id, client } = await world.user();
    await client.put(`/users/${id}`, { name: 'Grace' });
    await world.admin.delete(`/users/${id}`);
    const product = idIn(
      await world.admin.made('/products', { name: 'Tea', price: 10, currency: 'EUR', active: true }),
    );
    const { id: user } = await world.user();
    const order = idIn(await world.admin.made('/orders', { items: [{ product }], user }));
    await world.admin.put(`/orders/${order}`, { note: 'Soon' });
    await world.admin.made(`/orders/${order}/cancel`);
    const scenario = await Scenario.begin(world, '2026-01-01');
    const subscription = await scenario.subscribed(
      { prepay: true },
      { payment_method: await scenario.card() },
    );
    await scenario.settled(subscription);
    await scenario.bank('authentication_required', 'generic_decline');
    await scenario.until('2026-03-02');
    await scenario.does(subscription, 'stop', {});
    const address = { line1: 'Teestraße 1', country: 'DE' };
    await world.admin.changed('/company', { seller: { name: 'Teehaus GmbH', address } });
    const buyer = await new Shop(world).buyer();
    await buyer.client.made('/orders', { items: [{ product }], payment_method: buyer.card });
    const events = world.api.get<Connection>(getConnectionToken()).collection('events');
    await eventually(() => events.findOne({ kind: 'invoice.created' }));
    const rows = await events.find({ simulated: { $ne: true } }).toArray();
    real = rows.map((row) => JSON.parse(openField(String(row['body']), ['events', String(row._id), 'body'])));
  });

  /** The names of an object's fields and of the fields nested in them, in order. */
  function fields(object: any): unknown {
    const { attempts, metadata, provider, items, breakdown } = object;
    const part = object._cls === 'Order' ? breakdown.parts[0] : null;
    const parts = [attempts?.[0], metadata, provider, items?.[0], part];
    return [object, ...parts.map((one) => one ?? {})].map((value) => Object.keys(value));
  }

  it.each([
    'user.created',
    'user.deleted',
    'order.created',
    'order.updated',
    'order.cancelled',
    'subscription.created',
    'subscription.activated',
    'payment.created',
    'payment.succeeded',
    'payment.requires_auth',
  ])('of the kind %s has every field that a real one has, nested ones too', async (kind) => {
    const like = real.find((event) => event.kind === kind);
    expect(like).toBeDefined();
    const sample = await simulated(kind);
    expect(Object.keys(sample)).toEqual([...Object.keys(like), 'url']);
    expect(fields(sample.object)).toEqual(fields(like.object));
  });

  it.each(EVENT_KINDS)('of the kind %s has exactly the fields of the record', async (kind) => {
    const noun = kind.slice(0, kind.indexOf('.'));
    const like = real.find((event) => event.kind === kind) ?? real.find((one) => one.object_type === noun);
    const { object, object_type } = await simulated(kind);
    expect(object_type).toBe(noun);
    expect(Object.keys(object)).toEqual(Object.keys(like.object));
    expect(object).toMatchObject({ _cls: like.object._cls, company: world.company.toHexString() });
    if (noun === 'user' || noun === 'subscription') expect(object.deleted).toBe(kind.endsWith('.deleted'));
  });

  it('holds the data that a customer needs to authenticate a payment', async () => {
    const { object } = await simulated('payment.requires_auth');
    expect(object.metadata).toMatchObject({
      payment_intent_id: expect.any(String),
      intent_client_secret: expect.any(String),
    });
    expect(JSON.stringify(object)).not.toMatch(/\$oid|\$date/);
  });

  async function simulated(kind: string): Promise<any> {
    const { receiver, id } = await world.listening(kind);
    await world.admin.post(`/webhooks/${id}/simulate`);
    await receiver.untilKinds(kind);
    return receiver.messages[0]!.json;
  }
});
