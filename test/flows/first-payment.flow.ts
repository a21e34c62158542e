import { eventually, idIn } from '@commerce/testing';

import { Shop, errorsIn } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let plan: string;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  const monthly = {
    name: 'Monthly',
    interval_unit: 'MONTH',
    currency: 'EUR',
    total_amount: 30,
    prepay: true,
  };
  plan = idIn(await world.admin.made('/plans', monthly));
});
afterAll(() => world.stop());

/** A card whose bank requires authentication only in session. */
const ONLY_IN_SESSION = 'authenticationRequiredSetupForOffSession';

async function settled(client: { read(path: string): Promise<any> }, subscription: any): Promise<any> {
  const [payment] = await eventually(
    () => client.read(`/subscriptions/${idIn(subscription)}/payments`),
    (all: any[]) => all.length > 0 && all[0].status !== 'PROCESSING',
  );
  return payment;
}

describe('The first payment of a subscription', () => {
  it('that its customer starts is made in session; the customer continues with the data in the list of payments', async () => {
    const { client, card } = await shop.buyer(ONLY_IN_SESSION);
    const body = { plan, payment_method: card, start_now: true };
    const subscription = await client.made('/subscriptions', body);
    const payment = await settled(client, subscription);
    expect(payment).toMatchObject({
      status: 'REQUIRES_AUTH',
      metadata: { intent_client_secret: expect.stringMatching(/_secret_/) },
    });
    const [seen] = await world.admin.read(`/subscriptions/${idIn(subscription)}/payments`);
    expect(seen.metadata).not.toHaveProperty('intent_client_secret');
    await shop.authenticates(payment);
    const confirmed = await client.made(`/payments/${idIn(payment)}/confirm`, {
      payment_intent_id: payment.metadata.payment_intent_id,
      payment_client_secret: payment.metadata.intent_client_secret,
    });
    expect(confirmed.status).toBe('SUCCEEDED');
    expect(await client.read(`/subscriptions/${idIn(subscription)}`)).toMatchObject({
      status: 'ACTIVE',
      collection_state: 'OK',
    });
  });

  it('that is started later by its customer is made in session as well', async () => {
    const { client, card } = await shop.buyer(ONLY_IN_SESSION);
    const created = await client.made('/subscriptions', { plan });
    await client.made(`/subscriptions/${idIn(created)}/start`, { payment_method: card });
    expect(await settled(client, created)).toMatchObject({ status: 'REQUIRES_AUTH' });
  });

  it('that an admin starts is made while the customer is away', async () => {
    const { id, client, card } = await shop.buyer(ONLY_IN_SESSION);
    const body = { plan, user: id, payment_method: card, start_now: true };
    const subscription = await world.admin.made('/subscriptions', body);
    expect(await settled(client, subscription)).toMatchObject({ status: 'SUCCEEDED' });
  });
});

describe('A payment method without a card', () => {
  it('is refused in every place where one is named', async () => {
    const { client, card } = await shop.buyer();
    const payment_method = idIn(await client.made('/payment_methods', { payment_method: 'stripe' }));
    const subscription = await client.made('/subscriptions', { plan, payment_method: card });
    const at = `/subscriptions/${idIn(subscription)}`;
    const answers = [
      await client.post('/subscriptions', { plan, payment_method }),
      await client.post('/subscriptions', { plan, payment_method, start_now: true }),
      await client.post('/subscriptions/preview', { plan, payment_method }),
      await client.post(`${at}/start`, { payment_method }),
      await client.put(at, { payment_method }),
    ];
    for (const { status, body } of answers) {
      expect([status, errorsIn(body)]).toEqual([422, { payment_method: 'payment_method.incomplete' }]);
    }
    expect(await client.read(at)).toEqual(subscription);
  });
});
