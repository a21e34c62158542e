import { randomUUID } from 'node:crypto';

import { toMinor } from '@commerce/kernel';
import { eventually, idIn, type Client } from '@commerce/testing';
import { Types } from 'mongoose';
import supertest from 'supertest';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { Payers } from '../api/payers.js';
import { cli } from './command-line.js';

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
  await buyer.client.changed(`/users/${buyer.id}`, { billing: { address: SELLER.address } });
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

/** What doctor finds of the documents of a payment. */
async function findings(payment: string, ...args: string[]): Promise<any[]> {
  const { stdout } = await cli(['doctor', '--company', world.company.toHexString(), ...args, '--json']);
  // The service in this process may log meanwhile.
  const { findings: all } = JSON.parse(stdout.replaceAll(/^\{"level".*\n/gm, ''));
  const kinds = ['payment.without_credit_note', 'payment.credited_too_much', 'invoice.not_made'];
  return all
    .filter(({ id, kind }: any) => id === payment && kinds.includes(kind))
    .map(({ kind, detail }: any) => [kind, detail]);
}

/** Loses the last document of a payment, as a fault of the service might. */
async function lostLast(payment: string): Promise<void> {
  const last = (await documentsOf(payment)).at(-1);
  await shop.database.collection('invoices').deleteOne({ _id: new Types.ObjectId(idIn(last)) });
}

async function xmlOf({ _id }: any): Promise<string> {
  const { baseUrl, headers } = admin;
  const answer = await fetch(`${baseUrl}/invoices/${String(_id.$oid)}.xml`, { headers });
  return (await answer.text()).replaceAll(/>\s+</g, '><');
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

  it('is taken back by an invoice where the refund came back and nobody owes it, then given again', async () => {
    const payment = await paid();
    const payment_intent = await intentOf(payment);
    await payers.stripe.refunds.create({ payment_intent, amount: 2000 });
    await noticed(payment);
    expect(credited(await documentsOf(payment))).toBe(2000);
    expect(await sentBack(payment)).toMatchObject({ refunded_amount: 0, owed_amount: 0 });
    const [invoice, , reversal] = await documentsOf(payment);
    expect(reversal).toMatchObject({
      ...{ kind: 'invoice', preceding: invoice._id, net: 16.81, tax: 3.19, gross: 20 },
      content: {
        ...{ paid: 20, credit_applied: 0, preceding: { number: invoice.number } },
        lines: [{ description: 'Tea', reason: 'refund_returned', gross: 20 }],
        payment: { method: 'card', refund: reversal.refund },
      },
    });
    expect(Number(reversal.number.slice(-6))).toBe(Number(invoice.number.slice(-6)) + 1);
    const xml = await xmlOf(reversal);
    expect(xml).toContain('<cbc:InvoiceTypeCode>380</cbc:InvoiceTypeCode>');
    expect(xml).toContain(`<cac:InvoiceDocumentReference><cbc:ID>${String(invoice.number)}</cbc:ID>`);
    await refunded(payment, 119);
    const documents = await documentsOf(payment);
    expect(credited(documents)).toBe(11_900);
    expect(documents.at(-1)).toMatchObject({ kind: 'credit_note', net: 100, tax: 19, gross: 119 });
  });

  it('that do not add up are found by doctor, which makes what is missing', async () => {
    await shop.database
      .collection('companies')
      .updateOne({ _id: world.company }, { $set: { invoices_since: new Date(Date.now() - 600_000) } });
    const few = await paid();
    await refunded(few, 20);
    await documentsOf(few);
    const { refunds } = await sentBack(few);
    expect(await findings(few)).toEqual([]);
    // A refund to the balance does not come back.
    await refunded(few, 30, { instead_of: refunds[0].key, to: 'balance' });
    await lostLast(few);
    expect(await findings(few, '--fix')).toEqual([
      ['payment.without_credit_note', expect.stringContaining('30 EUR were given back, 10 without')],
    ]);
    expect(credited(await documentsOf(few))).toBe(3000);
    const many = await paid();
    await payers.stripe.refunds.create({ payment_intent: await intentOf(many), amount: 2000 });
    await noticed(many);
    await documentsOf(many);
    await sentBack(many);
    await lostLast(many);
    expect(await findings(many, '--fix')).toEqual([
      ['payment.credited_too_much', '0 EUR were given back, and credit notes are of 20 more'],
    ]);
    expect(credited(await documentsOf(many))).toBe(0);
    expect([await findings(few), await findings(many)]).toEqual([[], []]);
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
