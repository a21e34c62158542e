import { readFileSync } from 'node:fs';

import { eventually, idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

const SELLER = {
  ...{ name: 'Teehaus GmbH', vat_id: 'DE136695976', locale: 'de', invoice_prefix: 'R' },
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
};

let world: World;
let shop: Shop;
let browser: ConsoleBrowser;
let buyer: Buyer;

beforeAll(async () => {
  world = await World.start();
  await world.admin.changed('/company', { seller: SELLER });
  shop = new Shop(world);
  buyer = await shop.buyer();
  await world.admin.changed(`/users/${buyer.id}`, { name: 'Grace Hopper', email: 'grace@navy.example.com' });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);
const PHONE = { viewport: { width: 390, height: 844 } };

/** The documents of a payment, the oldest first, once there are so many. */
async function documentsOf(payment: string, count = 1): Promise<any[]> {
  return eventually(
    () => world.admin.read('/invoices', { payment, sort: 'created' }),
    (found: any[]) => found.length >= count,
    20_000,
  );
}

async function bought(name: string, price: number): Promise<any> {
  const product = await shop.product({ name, price, vat: 0.19 });
  const items = [{ product, quantity: 2 }];
  return buyer.client.made('/orders', { items, payment_method: buyer.card });
}

describe('A customer', () => {
  it(
    'has an address for invoices, in fields of its own',
    async () => {
      const page = await at(`/users/${buyer.id}`);
      await page.getByRole('button', { name: 'Change', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('More', { exact: true }).press('Enter');
      const billing = dialog.getByRole('group', { name: 'On invoices' });
      await billing.getByLabel('Company').fill('Navy & Co');
      await billing.getByLabel('Street and number').fill('Lindenweg 7');
      await billing.getByLabel('Country (required)').selectOption({ label: 'Austria' });
      await billing.getByLabel('Country confirmed').check();
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await world.admin.read(`/users/${buyer.id}`)).toMatchObject({
        billing: {
          ...{ company: 'Navy & Co', address: { line1: 'Lindenweg 7', country: 'AT' } },
          ...{ vat_id: null, country_confirmed: true },
        },
      });
      await page.close();
    },
    SLOW,
  );
});

describe('Invoices', () => {
  it(
    'are listed, narrowed in the address, and lead to a page that adds them up',
    async () => {
      const order = await bought('Assam', 11.9);
      const payment = order.payment.$oid as string;
      const [invoice] = await documentsOf(payment);
      await world.admin.made(`/payments/${payment}/refunds`, { amount: 5.95 });
      const [, note] = await documentsOf(payment, 2);
      const page = await at('/invoices');
      await page.getByRole('link', { name: note.number }).waitFor();
      await page.getByText('-€5.95').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('Kind').selectOption({ label: 'Invoice' });
      await page.getByRole('link', { name: note.number }).waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?kind=invoice');
      await page.getByRole('link', { name: invoice.number }).press('Enter');

      await page.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` }).waitFor();
      await page.getByRole('region', { name: 'From' }).getByText('VAT ID DE136695976').waitFor();
      await page.getByRole('region', { name: 'To' }).getByText('Navy & Co').waitFor();
      await page.getByRole('region', { name: 'To' }).getByText('Austria').waitFor();
      const lines = page.getByRole('region', { name: 'Lines' });
      await lines.getByRole('cell', { name: 'Assam' }).waitFor();
      const sums = await lines.locator('.sums li').allInnerTexts();
      expect(sums.map((text) => text.replaceAll('\n', ' '))).toEqual([
        'Total without VAT €20.00',
        'VAT 19 % of €20.00 €3.80',
        'Total €23.80',
        'Paid by card €23.80',
      ]);
      expect(await axeFindings(page)).toEqual([]);
      const facts = page.getByRole('region', { name: 'Facts' });
      await facts.getByRole('link', { name: note.number }).press('Enter');
      await page.getByRole('heading', { level: 1, name: `Credit note ${note.number}` }).waitFor();
      await page.getByText('Given back to the card').waitFor();
      await facts.getByRole('link', { name: invoice.number }).waitFor();
      await facts.getByRole('link', { name: '€5.95' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Why €23.80?' });
      await dialog.getByRole('link', { name: `Invoice ${invoice.number}` }).waitFor();
      await dialog.getByRole('link', { name: `Credit note ${note.number}` }).press('Enter');
      await page.getByRole('heading', { level: 1, name: `Credit note ${note.number}` }).waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'are a link away from order, customer and subscription, and found by number',
    async () => {
      const order = await bought('Ceylon', 10);
      const [invoice] = await documentsOf(order.payment.$oid);
      const page = await at(`/orders/${idIn(order)}`, PHONE);
      await page.getByRole('link', { name: `Invoice ${invoice.number}` }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.getByRole('link', { name: `Invoice ${invoice.number}` }).press('Enter');
      await page.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.close();

      const month = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, vat: 0.19, prepay: true };
      const plan = idIn(await world.admin.made('/plans', { name: 'Monthly box', ...month }));
      const subscription = idIn(
        await buyer.client.made('/subscriptions', { plan, payment_method: buyer.card, start_now: true }),
      );
      const [period] = await eventually(
        () => world.admin.read('/invoices', { subscription }),
        (found: any[]) => found.length > 0,
        20_000,
      );
      const other = await at(`/subscriptions/${subscription}`);
      const region = other.getByRole('region', { name: 'Invoices' });
      await region.getByRole('link', { name: period.number }).press('Enter');
      const lines = other.getByRole('region', { name: 'Lines' });
      await lines.getByRole('cell', { name: 'Monthly box' }).waitFor();
      await other.getByRole('region', { name: 'Facts' }).getByRole('link', { name: 'Grace Hopper' }).click();
      await region.getByRole('link', { name: invoice.number }).waitFor();
      await other.keyboard.press('/');
      await other.getByRole('combobox').fill(invoice.number.toLowerCase());
      const group = other.getByRole('dialog').getByRole('group', { name: 'Invoices' });
      await group.getByRole('option', { name: invoice.number }).waitFor();
      await other.keyboard.press('Enter');
      await other.getByRole('heading', { level: 1, name: `Invoice ${invoice.number}` }).waitFor();
      await other.close();
    },
    SLOW,
  );

  it(
    'are saved as PDF, web page and XML, by keyboard; a refusal is said in words',
    async () => {
      const [one] = await world.admin.read<any[]>('/invoices', { user: buyer.id, kind: 'invoice' });
      const page = await at(`/invoices/${idIn(one)}`, PHONE);
      const forms = [
        ['PDF', 'pdf', '%PDF-'],
        ['Web page', 'html', '<!doctype html>'],
        ['XML (CII)', 'cii.xml', '<?xml'],
      ] as const;
      for (const [button, extension, beginning] of forms) {
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: button, exact: true }).press('Enter'),
        ]);
        expect(file.suggestedFilename()).toBe(`${String(one.number)}.${extension}`);
        const bytes = readFileSync(await file.path());
        expect(bytes.toString('latin1').toLowerCase().startsWith(beginning.toLowerCase())).toBe(true);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.route(/\.xml/, (route) =>
        route.fulfill({
          status: 409,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            status: 409,
            code: 'invoice.incomplete',
            detail: 'The buyer has no address',
          }),
        }),
      );
      await page.getByRole('button', { name: 'XML (UBL)' }).press('Enter');
      await page.getByRole('alert').filter({ hasText: 'The buyer has no address' }).waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'are exported as CSV that adds up: credit notes are below 0',
    async () => {
      const page = await at(`/invoices?user=${buyer.id}`);
      await page.getByRole('table').waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const [head, ...rows] = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
        .map((row) => row.split(','));
      const column = (name: string): string[] => rows.map((row) => row[head!.indexOf(name)]!);
      const documents = await world.admin.read('/invoices', { user: buyer.id, size: 100 });
      expect(column('Gross').map(Number)).toEqual(
        documents.map(({ kind, gross }: any) => (kind === 'credit_note' ? -gross : gross)),
      );
      expect(column('Buyer')).toEqual(rows.map(() => 'Navy & Co'));
      expect(column('Buyer country')).toEqual(rows.map(() => 'AT'));
      await page.close();
    },
    SLOW,
  );
});

describe('The end of invoices', () => {
  it(
    'is asked for, and keeps those that exist',
    async () => {
      const page = await at('/company');
      await page.getByRole('button', { name: 'End invoices' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Those that exist stay.').waitFor();
      await dialog.getByRole('button', { name: 'End invoices' }).press('Enter');
      await page.getByRole('button', { name: 'Set up invoices' }).waitFor();
      expect(await world.admin.read('/company')).toMatchObject({ seller: null });
      expect((await world.admin.read<any[]>('/invoices')).length).toBeGreaterThan(0);
      await page.close();
    },
    SLOW,
  );
});
