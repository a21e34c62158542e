import type { PaymentRecord } from '@commerce/payments';
import supertest from 'supertest';

import { World } from '../world.js';
import { Payers, at } from './payers.js';

let world: World;
let payers: Payers;

beforeAll(async () => {
  world = await World.start({ worker: false });
  payers = new Payers(world);
});
afterAll(() => world.stop());

describe('POST /provider_notices/stripe', () => {
  const post = (payload: string, signature: string): supertest.Test =>
    supertest(world.baseUrl)
      .post('/provider_notices/stripe')
      .set('Content-Type', 'application/json; charset=utf-8')
      .set('Stripe-Signature', signature)
      .send(payload);
  const signed = (payload: string): string =>
    payers.stripe.webhooks.generateTestHeaderString({ payload, secret: 'whsec_world' });
  const webhook = (payment: PaymentRecord): string =>
    JSON.stringify(
      {
        id: `evt_${payment._id.toHexString()}`,
        object: 'event',
        type: 'payment_intent.succeeded',
        data: { object: { object: 'payment_intent', id: payment.provider.intent_id } },
      },
      null,
      2,
    );

  it("settles the payment by the provider's report, once", async () => {
    const payment = await payers.charged(await payers.payer('pm_card_authenticationRequired'));
    await payers.approve(payment);
    const payload = webhook(payment);
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(payload, signed(payload))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await world.admin.read(at(payment))).toMatchObject({ status: 'SUCCEEDED' });
  });

  it('is 400 without a right signature over the exact bytes', async () => {
    const payload = webhook(await payers.charged(await payers.payer()));
    for (const signature of ['', 'nonsense', signed(`${payload} `), signed(payload).replace('v1=', 'v0=')]) {
      const refused = await post(payload, signature);
      expect(refused.status).toBe(400);
      expect(refused.body.code).toBe('notice.invalid');
    }
  });

  it('accepts reports on other objects', async () => {
    const payload = JSON.stringify({
      id: 'evt_x',
      object: 'event',
      type: 'charge.succeeded',
      data: { object: {} },
    });
    expect((await post(payload, signed(payload))).status).toBe(200);
  });
});
