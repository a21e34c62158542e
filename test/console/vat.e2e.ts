import { eventually, idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', vat_id: 'DE136695976', invoice_prefix: 'R', address: ADDRESS };

let world: World;
let shop: Shop;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  await world.admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', oss: true } });
  shop = new Shop(world);
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);

/** The payment of an order in dollars. */
async function soldInDollars(): Promise<string> {
  const buyer = await shop.buyer();
  const product = await shop.product({ name: 'Sencha', price: 119, currency: 'USD' });
  const items = [{ product, quantity: 1 }];
  const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
  return order.payment.$oid;
}

const invoiceOf = async (payment: string): Promise<any> => {
  const [invoice] = await eventually(
    () => world.admin.read('/invoices', { payment }),
    (found: any[]) => found.length > 0,
    20_000,
  );
  return invoice;
};

describe('An invoice in another currency', () => {
  it(
    'is named where work is shown, until a rate is set, by keyboard; then it states the VAT of the seller',
    async () => {
      const payment = await soldInDollars();
      const why = /^An invoice waits: no exchange rate of USD is known up to/;
      const work = await at('/work');
      const causes = work.getByRole('region', { name: 'What it waits for' });
      const cause = causes.getByRole('link', { name: why });
      await cause.waitFor();
      expect(await axeFindings(work)).toEqual([]);

      const page = await at('/invoices');
      const waiting = page.getByRole('region', { name: 'Invoices that wait' });
      await waiting.getByRole('link', { name: why }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Exchange rates' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Exchange rates' }).waitFor();
      await waiting.getByRole('link', { name: why }).waitFor();
      await page.getByText('There is no rate yet.').waitFor();
      await page.getByRole('button', { name: 'New rate' }).press('Enter');
      const dialog = page.getByRole('dialog');
      const save = dialog.getByRole('button', { name: 'Set the rate' });
      await dialog.getByLabel('Currency').fill('eur');
      await dialog.getByLabel('Day').fill('2026-01-02');
      expect(await save.isDisabled()).toBe(true);
      await dialog.getByLabel('What one euro is in it').fill('1.085');
      await save.press('Enter');
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Currency').fill('usd');
      await dialog.getByText('EUR 1 = USD 1.085 holds from Jan 2, 2026').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await save.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'EUR 1 = USD 1.085' }).waitFor();
      expect(await world.admin.read('/exchange_rates')).toMatchObject([
        { currency: 'USD', day: '2026-01-02', rate: 1.085 },
      ]);

      const invoice = await invoiceOf(payment);
      await cause.waitFor({ state: 'detached' });
      await waiting.waitFor({ state: 'detached' });
      await work.close();
      await page.close();
      const shown = await at(`/invoices/${idIn(invoice)}`);
      const sum = shown.getByRole('region', { name: 'Lines' }).locator('.sums li');
      await sum.filter({ hasText: /^VAT in EUR \(EUR 1 = USD 1\.085, .*2026\)\s*€17\.51$/ }).waitFor();
      await shown.close();
    },
    SLOW,
  );
});

describe('Exchange rates', () => {
  it(
    'are narrowed to a currency and a day',
    async () => {
      const rates = [
        { currency: 'CHF', day: '2026-02-03', rate: 0.93 },
        { currency: 'CHF', day: '2026-02-04', rate: 0.94 },
        { currency: 'GBP', day: '2026-02-04', rate: 0.84 },
      ];
      await world.admin.changed('/exchange_rates', { rates });
      const page = await at('/exchange_rates');
      const cells = page.getByRole('cell', { name: /^EUR 1 = / });
      await page.getByRole('cell', { name: 'EUR 1 = GBP 0.84' }).waitFor();
      await page.getByLabel('Currency').fill('chf');
      await page.getByRole('cell', { name: 'EUR 1 = GBP 0.84' }).waitFor({ state: 'detached' });
      await page.getByRole('cell', { name: 'EUR 1 = CHF 0.93' }).waitFor();
      expect(await cells.allInnerTexts()).toEqual(['EUR 1 = CHF 0.94', 'EUR 1 = CHF 0.93']);
      await page.getByLabel('Day').fill('2026-02-03');
      await page.getByRole('cell', { name: 'EUR 1 = CHF 0.94' }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?currency=CHF&day=2026-02-03');
      expect(await cells.allInnerTexts()).toEqual(['EUR 1 = CHF 0.93']);
      await page.close();
    },
    SLOW,
  );
});

describe('The country that a customer gave', () => {
  it(
    'is shown as not confirmed, until it is confirmed here',
    async () => {
      const { id, client } = await world.user({ billing: { address: ADDRESS } });
      const address = { ...ADDRESS, country: 'LU' };
      await client.changed(`/users/${id}`, { billing: { address, vat_id: 'LU26375245' } });
      const page = await at(`/users/${id}`);
      const facts = page.getByRole('region', { name: 'Facts' });
      const country = facts.locator('div').filter({ hasText: 'Country for VAT' }).last();
      await country.getByText('Luxembourg').waitFor();
      await country.getByText('Not confirmed').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await country.getByRole('button', { name: 'Confirm the country' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Then the VAT of Luxembourg is due').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Confirm the country' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await country.getByText('Not confirmed').waitFor({ state: 'detached' });
      await facts.getByText('LU26375245').waitFor();
      expect(await world.admin.read(`/users/${id}`)).toMatchObject({
        billing: { address: { country: 'LU' }, vat_id: 'LU26375245', country_confirmed: true },
        billing_unconfirmed: ['vat_id'],
      });
      await page.close();
    },
    SLOW,
  );
});
