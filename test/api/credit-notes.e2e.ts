import { randomUUID } from 'node:crypto';

import { toMinor } from '@commerce/kernel';
import { eventually, type Client } from '@commerce/testing';
import supertest from 'supertest';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { Payers } from './payers.js';

const SELLER = {
  name: 'Teehaus GmbH',
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  vat_id: 'DE136695976',
};

let world: World;
let shop: Shop;
let payers: Payers;
let admin: Client;
beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  payers = new Payers(world);
  ({ admin } = world);
  await admin.changed('/company', { seller: SELLER });
});
afterAll(() => world.stop());

/** A payment of 119.00 by a card; the bank of this one sends refunds back after they succeeded. */
async function paid(card = 'refundFail'): Promise<string> {
  const buyer = await shop.buyer(card);
  const items = [{ product: await shop.product({ price: 119, vat: 0.19 }), quantity: 1 }];
  const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
  return order.payment.$oid;
}

async function refunded(payment: string, amount: number, body: object = {}): Promise<any> {
  return admin.made(`/payments/${payment}/refunds`, { amount, ...body });
}

async function intentOf(payment: string): Promise<string> {
  return (await admin.read(`/payments/${payment}`)).provider.intent_id;
}

/** The provider reports that a refund of a payment has changed. */
async function noticed(payment: string): Promise<any> {
  const { data } = await payers.stripe.refunds.list({ payment_intent: await intentOf(payment) });
  const event = { id: `evt_${randomUUID()}`, object: 'event', type: 'refund.updated' };
  const payload = JSON.stringify({ ...event, data: { object: data[0] } });
  const secret = 'whsec_world';
  const { status } = await supertest(world.baseUrl)
    .post('/provider_notices/stripe')
    .set('Content-Type', 'application/json')
    .set('Stripe-Signature', payers.stripe.webhooks.generateTestHeaderString({ payload, secret }))
    .send(payload);
  expect(status).toBe(200);
  return admin.read(`/payments/${payment}`);
}

/** Has the bank of the customer send back the refunds that it has. */
async function sentBack(payment: string): Promise<any> {
  await shop.settles();
  return noticed(payment);
}

/** The documents of a payment once no more are due: their numbers, amounts and signs. */
async function documentsOf(payment: string): Promise<any[]> {
  const due = shop.database.collection('invoices_due');
  await eventually(
    () => due.countDocuments(),
    (count) => count === 0,
    20_000,
  );
  return admin.read('/invoices', { payment, sort: 'created' });
}

/** The credited amount: credit notes, less what was taken back of them. */
function credited(documents: readonly any[]): number {
  const signed = documents.slice(1).map(({ kind, gross }) => (kind === 'credit_note' ? gross : -gross));
  return signed.reduce((sum: number, gross: number) => sum + toMinor(gross, 'EUR'), 0);
}

describe('The credit notes of a payment', () => {
  it('add up to what was given back, where a larger refund follows one that failed', async () => {
    const payment = await paid();
    await refunded(payment, 20);
    expect(credited(await documentsOf(payment))).toBe(2000);
    const { refunds } = await sentBack(payment);
    await refunded(payment, 30, { instead_of: refunds[0].key });
    const documents = await documentsOf(payment);
    expect(credited(documents)).toBe(3000);
    expect(documents.map(({ kind, gross, tax }) => [kind, gross, tax])).toEqual([
      ['invoice', 119, 19],
      ['credit_note', 20, 3.19],
      ['credit_note', 10, 1.6],
    ]);
  });

  it('add up where a refund fails before its credit note is made', async () => {
    const payment = await paid();
    await documentsOf(payment);
    await refunded(payment, 20);
    const { refunds } = await sentBack(payment);
    expect(refunds).toMatchObject([{ status: 'FAILED', owed: 20 }]);
    await refunded(payment, 30, { instead_of: refunds[0].key });
    await refunded(payment, 5);
    expect(credited(await documentsOf(payment))).toBe(3500);
  });
});
