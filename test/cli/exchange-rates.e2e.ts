import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DAY_MS } from '@commerce/kernel';
import { eventually, idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { cli } from './command-line.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };

let world: World;
let buyer: Buyer;
let folder: string;
let of: string[];
beforeAll(async () => {
  world = await World.start();
  await world.admin.changed('/company', { seller: SELLER });
  buyer = await new Shop(world).buyer();
  await buyer.client.changed(`/users/${buyer.id}`, { billing: { address: ADDRESS } });
  folder = mkdtempSync(join(tmpdir(), 'rates-'));
  of = ['--company', world.company.toHexString()];
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.stop();
});

async function bought(currency: string, vat: number): Promise<string> {
  const tea = { name: 'Tea', price: 119, currency, active: true, vat };
  const items = [{ product: idIn(await world.admin.made('/products', tea)), quantity: 1 }];
  return (await buyer.client.made('/orders', { items, payment_method: buyer.card })).payment.$oid;
}

async function documentsOf(payment: string, count: number): Promise<any[]> {
  return eventually(
    () => world.admin.read('/invoices', { payment, sort: 'created' }),
    (all: any[]) => all.length >= count,
    30_000,
  );
}

async function imported(
  name: string,
  text: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return cli(['rates:import', ...of, '--file', file]);
}

async function waiting(): Promise<any[]> {
  const { stdout } = await cli(['doctor', ...of, '--json']);
  // The service in this process may log meanwhile.
  return JSON.parse(stdout.replaceAll(/^\{"level".*\n/gm, '')).findings.filter(
    ({ kind }: any) => kind === 'invoice.not_made',
  );
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

describe('An invoice in another currency than that of the seller', () => {
  it('waits for an exchange rate, which doctor reports, then states the VAT in both', async () => {
    const payment = await bought('USD', 0.19);
    const all = await eventually(
      waiting,
      (findings: any[]) => findings.some(({ id }) => id === payment),
      30_000,
    );
    const { detail } = all.find(({ id }: any) => id === payment);
    expect(detail).toContain('no exchange rate of USD is known');
    expect(await world.admin.read('/invoices', { payment })).toEqual([]);

    const old = dayBefore(3);
    const { stdout } = await imported('eurofxref-hist.csv', `Date,USD,SEK,\n${old},1.085,11.02,\n`);
    expect(stdout).toContain(`Imported 2 rates, from ${old} to ${old}.`);
    const [invoice] = await documentsOf(payment, 1);
    expect(invoice).toMatchObject({ currency: 'USD', net: 100, tax: 19, gross: 119 });
    const seller_tax = { currency: 'EUR', rate: 1.085, day: old, tax: 17.51 };
    expect(invoice.content.seller_tax).toEqual(seller_tax);
    expect(await waiting()).toEqual([]);

    const later = dayBefore(0);
    await imported('eurofxref.xml', `<Cube time='${later}'><Cube currency='USD' rate='1.19'/></Cube>`);
    await world.admin.made(`/payments/${payment}/refunds`, { amount: 59.5 });
    const [, note] = await documentsOf(payment, 2);
    expect(note.content.seller_tax).toEqual({ ...seller_tax, tax: 8.76 });
    const [next] = await documentsOf(await bought('USD', 0.19), 1);
    expect(next.content.seller_tax).toEqual({ ...seller_tax, rate: 1.19, day: later, tax: 15.97 });

    const { baseUrl, headers } = world.admin;
    const files = [`${idIn(invoice)}.xml`, `${idIn(invoice)}.xml?syntax=cii`, `${idIn(invoice)}.html`];
    const texts = await Promise.all(
      files.map(async (file) => (await fetch(`${baseUrl}/invoices/${file}`, { headers })).text()),
    );
    expect(texts[0]).toContain('<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>');
    expect(texts[0]).toContain('<cbc:TaxAmount currencyID="EUR">17.51</cbc:TaxAmount>');
    expect(texts[1]).toContain('<ram:TaxTotalAmount currencyID="EUR">17.51</ram:TaxTotalAmount>');
    expect(texts[2]).toContain('EUR 1 = USD 1.085');
  });

  it('needs none where it has no VAT, or is in the currency of the seller', async () => {
    for (const payment of [await bought('GBP', 0), await bought('EUR', 0.19)]) {
      const [invoice] = await documentsOf(payment, 1);
      expect(invoice.content.seller_tax).toBe(null);
    }
  });

  it('is made once an admin sets the rate by a request, which is listed and on record', async () => {
    const payment = await bought('CHF', 0.19);
    await eventually(waiting, (all: any[]) => all.some(({ id }) => id === payment), 30_000);
    const [old, today] = [dayBefore(9), dayBefore(0)];
    const { admin } = world;
    const put = async (...rates: object[]): Promise<any> => admin.put('/exchange_rates', { rates });
    const chf = { currency: 'chf', day: today, rate: 0.95 };
    expect((await put({ ...chf, day: old }, chf)).body).toEqual({ imported: 2, from: old, to: today });
    expect((await put({ ...chf, rate: 0.97 })).status).toBe(200);
    const [invoice] = await documentsOf(payment, 1);
    expect(invoice.content.seller_tax).toEqual({ currency: 'EUR', rate: 0.97, day: today, tax: 19.59 });
    const listed = await admin.read('/exchange_rates', { currency: 'CHF' });
    expect(listed.map(({ _cls, currency, day, rate }: any) => [_cls, currency, day, rate])).toEqual([
      ['ExchangeRate', 'CHF', today, 0.97],
      ['ExchangeRate', 'CHF', old, 0.95],
    ]);
    const next = await admin.read('/exchange_rates', { currency: 'CHF', after: idIn(listed[0]) });
    expect(next).toEqual([listed[1]]);
    expect(await admin.read('/exchange_rates', { day: old })).toEqual([listed[1]]);
    const [entry] = await admin.read('/audit', { size: 1 });
    expect(entry).toMatchObject({ actor: 'admin', request: 'PUT /exchange_rates', action: 'performed' });
    const stranger = await world.stranger();
    expect(await stranger.admin.read('/exchange_rates')).toEqual([]);
    expect((await buyer.client.get('/exchange_rates')).status).toBe(403);
    expect((await buyer.client.put('/exchange_rates', { rates: [chf] })).status).toBe(403);
  });

  it.each([
    ['rates.0.currency', { currency: 'EUR' }],
    ['rates.0.currency', { currency: 'FRANC' }],
    ['rates.0.day', { day: '2026-02-30' }],
    ['rates.0.day', { day: 'yesterday' }],
    ['rates.0.rate', { rate: 0 }],
  ])('is not helped by a wrong %s: %j', async (path, change) => {
    const one = { currency: 'CHF', day: '2026-02-27', rate: 0.95, ...change };
    const { status, body } = await world.admin.put('/exchange_rates', { rates: [one] });
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it('has one rate of a currency and a day in a request', async () => {
    const one = { currency: 'CHF', day: '2026-02-27', rate: 0.95 };
    const { status, body } = await world.admin.put('/exchange_rates', { rates: [one, one] });
    expect([status, body.errors[0].path]).toEqual([422, 'rates.1.day']);
  });

  it('is not helped by a file that has no rates', async () => {
    const { stderr } = await imported('page.html', '<html></html>');
    expect(stderr).toContain('the file of rates has no rate');
  });
});
