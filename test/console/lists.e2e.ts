import { readFileSync } from 'node:fs';

import { idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, waitForCount } from './console-page.js';

let world: World;
let shop: Shop;
let browser: ConsoleBrowser;
let buyer: Buyer;
const orders: { id: string; human_id: string }[] = [];

beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
  buyer = await shop.buyer('visa', { name: 'Grace Hopper', email: 'grace@navy.example.com' });
  for (const price of [10, 25, 60]) {
    const product = await shop.product({ name: `Tea for ${String(price)}`, price });
    const card = price === 60 ? {} : { payment_method: buyer.card };
    const order = await world.admin.made('/orders', { user: buyer.id, items: [{ product }], ...card });
    orders.push({ id: idIn(order), human_id: order.human_id });
  }
  const clock = await world.admin.made('/test_clocks', { name: 'Next year', frozen_time: Date.now() });
  await world.user({ name: 'Clara Clock', test_clock: idIn(clock) });
  await world.user({ name: '=HYPERLINK("http://x.example")', email: 'evil@example.com' });
  await world.user({ name: '＝1＋1', email: 'wide@example.com' });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);

describe('Lists', () => {
  it(
    'keep filters in their address: amount, date, status and plan',
    async () => {
      const page = await at('/orders');
      const rows = page.locator('tbody tr[aria-rowindex]');
      await rows.nth(2).waitFor();
      await page.getByLabel('Amount from').fill('20');
      await page.keyboard.press('Enter');
      await rows.nth(2).waitFor({ state: 'detached' });
      await rows.nth(1).waitFor();
      await waitForCount(rows, 2);
      await page.getByLabel('Status').selectOption('PAID');
      await rows.nth(1).waitFor({ state: 'detached' });
      await rows.first().waitFor();
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        min_amount: '20',
        status: 'PAID',
      });
      await page.getByLabel('Until').fill('2020-01-01');
      await page.getByText('Nothing matches these filters.').waitFor();
      await page.goBack();
      await page.getByRole('link', { name: orders[1]!.human_id }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.close();
    },
    SLOW,
  );

  it(
    "of a test clock's customers are a link away",
    async () => {
      const page = await at('/test_clocks');
      await page.getByRole('region', { name: 'Next year' }).getByRole('link', { name: 'Customers' }).click();
      await page.getByRole('link', { name: 'Clara Clock' }).waitFor();
      await waitForCount(page.locator('tbody tr[aria-rowindex]'), 1);
      await page.getByRole('button', { name: 'Remove the filter: One test clock' }).click();
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'are exported as CSV, filters included, without formulas',
    async () => {
      const page = await at('/users');
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/^customers-\d{4}-\d\d-\d\d\.csv$/);
      const [head, ...rows] = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n');
      expect(head).toBe(
        '\u{feff}Human id,Name,Email,External reference,Timezone,Created,Updated,Test clock,Id',
      );
      const cells = rows.map((row) => row.split(',').slice(1, 3));
      expect(cells).toEqual([
        [`"'＝1＋1"`, 'wide@example.com'],
        [`"'=HYPERLINK(""http://x.example"")"`, 'evil@example.com'],
        ['Clara Clock', ''],
        ['Grace Hopper', 'grace@navy.example.com'],
      ]);
      await page.getByText('4 rows are in the file.').waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'are narrowed to a customer, who is looked for by name or e-mail, by keyboard',
    async () => {
      const other = await shop.buyer('visa', { name: 'Grace Kelly' });
      const product = await shop.product({ name: 'Cup', price: 7 });
      const items = [{ product }];
      await world.admin.made('/orders', { user: other.id, items, payment_method: other.card });
      const page = await at('/payments', { viewport: { width: 390, height: 844 } });
      const rows = page.locator('tbody tr[aria-rowindex]');
      await page.getByRole('link', { name: 'Grace Kelly' }).first().waitFor();
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      const field = page.getByRole('combobox', { name: 'Customer' });
      await field.pressSequentially('grace');
      const options = page.getByRole('listbox', { name: 'Customers' }).getByRole('option');
      await options.nth(1).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      const texts = await options.allInnerTexts();
      const kelly = texts.findIndex((text) => text.startsWith('Grace Kelly'));
      if (kelly === 1) await page.keyboard.press('ArrowDown');
      expect(await page.locator('[role=option][aria-selected=true]').innerText()).toBe(texts[kelly]);
      await page.keyboard.press('Enter');
      const chip = page.getByRole('button', { name: 'Remove the filter: Grace Kelly' });
      await chip.waitFor();
      await page.getByRole('link', { name: 'Grace Hopper' }).first().waitFor({ state: 'detached' });
      await waitForCount(rows, 1);
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ user: other.id });
      await chip.press('Enter');
      await page.getByRole('link', { name: 'Grace Hopper' }).first().waitFor();
      await field.fill('navy.example');
      await options.first().waitFor();
      await waitForCount(options, 1);
      await options.first().click();
      await page.getByRole('link', { name: 'Grace Kelly' }).waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it(
    'are exported with the name and e-mail of each customer, a page of them at a time',
    async () => {
      const page = await at('/orders');
      await page.getByRole('link', { name: orders[0]!.human_id }).waitFor();
      const asked: string[] = [];
      page.on('request', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/users') asked.push(searchParams.getAll('ids').join());
      });
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ]);
      const [head, ...rows] = readFileSync(await file.path(), 'utf8')
        .trimEnd()
        .split('\r\n')
        .map((row) => row.split(','));
      const [name, email] = ['Customer', 'Customer email'].map((title) => head!.indexOf(title));
      const named = new Set(rows.map((row) => [row[name!], row[email!]].join(' ')));
      expect(named).toEqual(new Set(['Grace Hopper grace@navy.example.com', 'Grace Kelly ']));
      expect(asked).toHaveLength(1);
      expect(asked[0]!.split(',')).toHaveLength(2);
      await page.close();
    },
    SLOW,
  );
});
