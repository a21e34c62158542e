import { Companies } from '@commerce/identity';
import { eventually, idIn } from '@commerce/testing';
import type { Browser } from 'playwright-core';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { openBrowser } from './browser.js';

/** The folder for documentation pictures; they are taken on request only. */
const PICTURES = process.env['PICTURES'];

const SELLER = {
  name: 'Leaf & Kettle GmbH',
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' },
  vat_id: 'DE136695976',
  email: 'books@kettle.example.com',
  bank: 'IBAN DE02 1203 0000 0000 2020 51',
  footer: 'Thank you for your order.',
  invoice_prefix: 'R',
};

let world: World;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), openBrowser()]);
  await world.get(Companies).update(world.company, { name: 'Leaf & Kettle' });
  await world.admin.changed('/company', { seller: SELLER });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

/** The id of the invoice of an order of two products, with a coupon. */
async function invoice(): Promise<string> {
  const shop = new Shop(world);
  const buyer = await shop.buyer();
  const address = { line1: 'Lindenweg 7', postal_code: '20095', city: 'Hamburg', country: 'DE' };
  await buyer.client.changed(`/users/${buyer.id}`, { billing: { name: 'Ada Lovelace', address } });
  const tea = await shop.product({ name: 'Darjeeling, 250 g', price: 12.5, vat: 0.07 });
  const pot = await shop.product({ name: 'Teapot', price: 39.9, vat: 0.19 });
  const { code } = await shop.coupon({ percent_off: 0.1 });
  const items = [
    { product: tea, quantity: 2 },
    { product: pot, quantity: 1 },
  ];
  const order = await buyer.client.made('/orders', { items, coupon: code, payment_method: buyer.card });
  const [found] = await eventually(
    () => world.admin.read('/invoices', { payment: order.payment.$oid }),
    (all: any[]) => all.length > 0,
    20_000,
  );
  return idIn(found);
}

describe('The page of an invoice', () => {
  it('is shown with its own style, within its policy', async () => {
    const context = await browser.newContext({
      viewport: { width: 960, height: 900 },
      extraHTTPHeaders: world.admin.headers,
    });
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    const reply = await page.goto(`${world.baseUrl}/invoices/${await invoice()}.html`);
    expect(reply?.status()).toBe(200);
    expect(await page.title()).toMatch(/^Invoice R\d{4}-000001 · Leaf & Kettle GmbH$/);
    const heads = await page.locator('.lines th').allInnerTexts();
    expect(heads.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      ...['Description', 'Quantity', 'Unit price incl. VAT', 'VAT', 'Amount (EUR) incl. VAT'],
    ]);
    const amounts = await page.locator('.lines td:last-child').allInnerTexts();
    expect(amounts).toEqual(['22.50', '35.91']);
    // From the style sheet: the policy has let it through.
    const box = await page.locator('main').boundingBox();
    expect(box?.width).toBeLessThanOrEqual(52 * 16);
    expect(refused).toEqual([]);
    if (PICTURES !== undefined) await page.locator('main').screenshot({ path: `${PICTURES}/invoice.png` });
  });
});
