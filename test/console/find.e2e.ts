import { idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, picture } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;
let buyer: Buyer;
let plan: string;
const orders: { id: string; human_id: string }[] = [];

beforeAll(async () => {
  world = await World.start();
  const shop = new Shop(world);
  buyer = await shop.buyer();
  await world.admin.put(`/users/${buyer.id}`, { name: 'Grace Hopper', email: 'grace@navy.example.com' });
  const month = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true };
  plan = idIn(await world.admin.made('/plans', { name: 'Monthly box', ...month }));
  for (const price of [10, 25, 60]) {
    const product = await shop.product({ name: `Tea for ${String(price)}`, price, vat: 0.07 });
    const card = price === 60 ? {} : { payment_method: buyer.card };
    const order = await world.admin.made('/orders', { user: buyer.id, items: [{ product }], ...card });
    orders.push({ id: idIn(order), human_id: order.human_id });
  }
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);

async function searched(page: Page, text: string): Promise<void> {
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill(text);
  await page.getByRole('option').first().waitFor();
}

describe('The search', () => {
  it(
    'opens by keyboard, finds by words and ids, and leads to the record by Enter',
    async () => {
      const page = await at('/');
      await searched(page, 'hopper');
      const dialog = page.getByRole('dialog', { name: 'Search everywhere' });
      await dialog.getByRole('group', { name: 'Customers' }).getByRole('option').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();

      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('tea for');
      await page.getByRole('option').nth(2).waitFor();
      const chosen = page.locator('[role=option][aria-selected=true]');
      const first = await chosen.textContent();
      await page.keyboard.press('ArrowDown');
      expect(await chosen.textContent()).not.toBe(first);
      expect(await page.getByRole('combobox').getAttribute('aria-activedescendant')).toBe(
        await chosen.getAttribute('id'),
      );
      await page.keyboard.press('ArrowUp');
      expect(await chosen.textContent()).toBe(first);
      await page.keyboard.press('ArrowUp');
      expect(await chosen.textContent()).toBe(await page.getByRole('option').last().textContent());
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').waitFor({ state: 'detached' });

      await searched(page, orders[0]!.human_id.toLowerCase());
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: `Order ${orders[0]!.human_id}` }).waitFor();
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('nobody at all');
      await page.getByText('Nothing is found for “nobody at all”.').waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'is a button, too, also on a phone; a slash in a field stays a slash',
    async () => {
      const page = await at('/plans', { viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'New plan' }).click();
      const name = page.getByRole('dialog').getByLabel('Name');
      await name.pressSequentially('a/b');
      expect(await name.inputValue()).toBe('a/b');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('combobox').fill('monthly');
      await page.getByRole('option').click();
      await page.getByRole('dialog', { name: 'Monthly box' }).waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.close();
    },
    SLOW,
  );
});

describe('The page of a customer', () => {
  it(
    'shows what they buy and how they pay; subscribes them and gives credit, by keyboard',
    async () => {
      const page = await at(`/users/${buyer.id}`);
      await page.getByRole('region', { name: 'Cards' }).getByText('Visa •••• 4242').waitFor();
      const region = (name: string) => page.getByRole('region', { name, exact: true });
      await region('Orders')
        .getByRole('link', { name: `Order ${orders[0]!.human_id}` })
        .waitFor();
      await region('Payments').getByRole('button', { name: 'Why €25.00?' }).waitFor();
      await region('History').getByText('User created').waitFor();
      await region('History').getByText('Updated: name, email').waitFor();
      expect(await axeFindings(page)).toEqual([]);

      await page.getByRole('button', { name: 'Give credit' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Amount').focus();
      await page.keyboard.type('12.5');
      await dialog.getByText('€12.50 will pay for the next charges').waitFor();
      await dialog.getByLabel('Why').focus();
      await page.keyboard.type('sorry');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await region('Balance').getByText('Given · sorry').waitFor();
      expect(await world.admin.read(`/users/${buyer.id}`)).toMatchObject({ balance: { EUR: 12.5 } });
      await page.getByRole('button', { name: 'Give credit' }).click();
      await dialog.getByLabel('Amount').fill('-20');
      await dialog.getByText('The balance holds €12.50 only.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Give credit' }).isDisabled()).toBe(true);
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'New subscription' }).click();
      await dialog.getByText(/: €17\.50$/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'New subscription' }).press('Enter');
      await page.waitForURL(/\/subscriptions\/[0-9a-f]{24}$/);
      const [made] = await world.admin.read<any[]>('/subscriptions', { user: buyer.id });
      expect(made).toMatchObject({
        plan: { $oid: plan },
        status: 'ACTIVE',
        payment_method: { $oid: buyer.card },
      });
      await page.goBack();
      await region('Subscriptions').getByRole('link', { name: 'Monthly box' }).waitFor();
      await picture(page, 'console-customer');
      await page.close();
    },
    SLOW,
  );
});

describe('The page of an order', () => {
  it(
    'adds its items up, takes the payment from a saved card, and gives a part of it back',
    async () => {
      const page = await at(`/orders/${orders[2]!.id}`);
      const now = page.getByRole('region', { name: 'What can be done now' });
      await now.getByText('It waits for its payment.').waitFor();
      const items = page.getByRole('region', { name: 'Items' });
      await items.getByText('of which VAT 7 %').waitFor();
      await items.getByText('€3.93').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await now.getByRole('button', { name: 'Take the payment' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('€60.00 is charged to this card at once.').waitFor();
      await dialog.getByRole('button', { name: 'Take the payment' }).press('Enter');
      await now.getByText('It is paid.').waitFor();
      expect(await now.getByRole('button', { name: 'Cancel the order' }).count()).toBe(0);
      await now.getByRole('button', { name: 'Refund' }).click();
      await now.getByLabel('Amount').fill('20');
      await now.getByRole('button', { name: 'Give back €20.00' }).click();
      await now.getByText('-€20.00').waitFor();
      expect(await world.admin.read(`/orders/${orders[2]!.id}`)).toMatchObject({ status: 'PAID' });
      await picture(page, 'console-order');
      await page.close();
    },
    SLOW,
  );

  it(
    'cancels one that is not paid, and changes its note',
    async () => {
      const product = await new Shop(world).product();
      const order = await world.admin.made('/orders', { user: buyer.id, items: [{ product, quantity: 3 }] });
      const page = await at(`/orders/${idIn(order)}`, { viewport: { width: 390, height: 844 } });
      await page.getByRole('button', { name: 'Change the note' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Note').fill('At the back door');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('At the back door').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await dialog.getByText('The customer can no longer pay it.').waitFor();
      await dialog.getByRole('button', { name: 'Cancel the order' }).press('Enter');
      await page.getByText('It was cancelled.').waitFor();
      expect(await page.getByRole('button', { name: 'Take the payment' }).count()).toBe(0);
      await page.close();
    },
    SLOW,
  );
});
