import { idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, waitForCount } from './console-page.js';
import { fillCompany } from './sample-company.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  await fillCompany(world.admin, Date.now());
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);

describe('Records', () => {
  it(
    'are made, changed and deleted; a refusal of the service appears at its field',
    async () => {
      const page = await at('/plans');
      await page.getByRole('button', { name: 'New plan' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Yearly');
      const price = dialog.getByLabel('Price', { exact: true });
      await price.fill('-5');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('fields need your attention').waitFor();
      const wrong = dialog.getByLabel('The price is for');
      expect(await wrong.getAttribute('aria-invalid')).toBe('true');
      await dialog.getByText('Price must not be less than 0').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await wrong.selectOption('ANNUAL');
      await dialog.getByLabel('Currency').fill('EUR');
      await price.fill('500');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Yearly' }).click();
      await page.getByRole('dialog').getByLabel('Name').fill('Every year');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Every year' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
      await page.getByRole('button', { name: 'Every year' }).waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it.each([
    ['coupon', '/coupons', { Name: 'Summer', 'Percent off': '10' }],
    ['product', '/products', { Name: 'Lamp', Currency: 'EUR', Price: '19.99' }],
  ])(
    'can be a %s',
    async (noun, path, values) => {
      const page = await at(path);
      await page.getByRole('button', { name: `New ${noun}` }).click();
      const dialog = page.getByRole('dialog');
      const field = (label: string) => dialog.getByLabel(new RegExp(`^${label}( \\(required\\))?$`));
      for (const [label, value] of Object.entries(values)) await field(label).fill(value);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: values.Name, exact: true }).click();
      await field('Name').fill('Renamed');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Renamed', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await page.getByRole('button', { name: 'Renamed', exact: true }).waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it(
    'can be a customer, who is changed and deleted on a page of their own',
    async () => {
      const page = await at('/users');
      await page.getByRole('button', { name: 'New customer' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Hedy Lamarr');
      await dialog.getByLabel('Email', { exact: true }).fill('hedy@example.com');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('link', { name: 'Hedy Lamarr' }).click();
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('Renamed');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await page.getByText('Deleted', { exact: true }).waitFor();
      await goTo(page, 'Customers');
      await page.getByRole('link', { name: 'Renamed' }).waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it(
    'take percentages as percentages, to the last digit',
    async () => {
      const page = await at('/products');
      await page.getByRole('button', { name: 'New product' }).click();
      const dialog = page.getByRole('dialog');
      const field = (label: string) => dialog.getByLabel(new RegExp(`^${label}( \\(required\\))?$`));
      await field('Name').fill('Book');
      await field('Currency').fill('EUR');
      await field('Price').pressSequentially('10.05');
      await field('VAT').fill('700');
      await dialog.getByText('More', { exact: true }).click();
      await field('Discount').pressSequentially('2.05');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('It must be a percentage from 0 to 100.').waitFor();
      await waitForCount(dialog.getByText('In percent: 25 is 25 %.'), 2);
      await field('VAT').fill('7');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Book', exact: true }).click();
      expect(await field('VAT').inputValue()).toBe('7');
      expect(await field('Discount').inputValue()).toBe('2.05');
      await field('VAT').fill('5.5');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: '5.5 %', exact: true }).waitFor();
      const [book] = await world.admin.read('/products/search', { query: 'Book' });
      expect(book).toMatchObject({ price: 10.05, vat: 0.055, discount: 0.0205 });

      await goTo(page, 'Plans');
      await page.getByRole('button', { name: 'New plan' }).click();
      await field('Name').fill('Reader');
      await field('The price is for').selectOption('MONTH');
      await field('Currency').fill('EUR');
      await dialog.getByRole('button', { name: 'Add one' }).click();
      await dialog.getByLabel(/^Product/).fill(idIn(book));
      await dialog.getByLabel(/^Quantity/).fill('1');
      await dialog.getByLabel(/^Discount/).fill('12.5');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Reader', exact: true }).waitFor();
      const plans = await world.admin.read('/plans');
      const { items } = plans.find(({ name }: { name: string }) => name === 'Reader');
      expect(items[0].discount).toBe(0.125);
      await page.close();
    },
    SLOW,
  );

  it(
    'can be a webhook',
    async () => {
      const { url } = await world.receiver();
      const page = await at('/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Event type', { exact: true }).selectOption('order.created');
      await dialog.getByLabel('Endpoint').fill('nonsense');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Endpoint').fill(`${url}/first`);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'order.created' }).click();
      await page.getByText('Verified').waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByLabel('Endpoint').fill(`${url}/second`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${url}/second`).waitFor();
      // The endpoint has not been verified yet.
      await page.getByText('Unverified').waitFor();
      await page.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await dialog.waitFor({ state: 'detached' });
      await goTo(page, 'Webhooks');
      await page.getByText('No endpoint is told of anything yet.').waitFor();
      expect(await world.admin.read('/webhooks')).toEqual([]);
      await page.close();
    },
    SLOW,
  );

  it(
    'can be an order, which is cancelled',
    async () => {
      const tea = { name: 'Tea', price: 20, currency: 'EUR', active: true };
      const product = idIn(await world.admin.made('/products', tea));
      const { record } = await world.user({ name: 'Emmy Noether' });
      const page = await at('/orders');
      await page.getByRole('button', { name: 'New order' }).click();
      const dialog = page.getByRole('dialog');
      // A customer is chosen by name.
      await dialog.getByLabel(/^Customer/).fill(`Emmy Noether · ${String(record.human_id)}`);
      await dialog.getByRole('button', { name: 'Add one' }).click();
      await dialog.getByLabel(/^Product/).fill(product);
      await dialog.getByLabel(/^Quantity/).fill('3');
      await dialog.getByLabel('Note').fill('At the door');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row').filter({ hasText: 'Emmy Noether' });
      await row.filter({ hasText: '€60.00' }).getByRole('link').click();
      await page.getByText('At the door').waitFor();
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await dialog.getByRole('button', { name: 'Cancel the order' }).click();
      await page.getByText('It was cancelled.').waitFor();
      await goTo(page, 'Orders');
      await row.filter({ hasText: 'Cancelled' }).waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'can be a test clock',
    async () => {
      const page = await at('/test_clocks');
      await page.getByRole('button', { name: 'New test clock' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('A leap year');
      await dialog.getByLabel('Its time').fill('2028-02-28T12:00');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      const clock = page.getByRole('region', { name: 'A leap year' });
      await clock.getByText('Feb 28, 2028, 12:00').waitFor();
      await clock.getByLabel('Leap to').fill('2028-02-29');
      await clock.getByRole('button', { name: 'Leap' }).click();
      await clock.getByText('Feb 29, 2028').waitFor();
      await clock.getByText('Ready').waitFor();
      await clock.getByRole('button', { name: 'Change' }).click();
      await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete it' }).click();
      await clock.waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it(
    'of every kind are listed, and have a form without serious findings',
    async () => {
      const page = await at('/products');
      for (const [name, button] of [
        ['Products', 'New product'],
        ['Coupons', 'New coupon'],
        ['Customers', 'New customer'],
        ['Orders', 'New order'],
        ['Webhooks', 'New webhook'],
        ['Test clocks', 'New test clock'],
      ] as const) {
        await goTo(page, name);
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog', { name: button }).getByRole('button', { name: 'Create' }).waitFor();
        expect([name, await axeFindings(page)]).toEqual([name, []]);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
      await page.close();
    },
    SLOW,
  );
});

describe('In the dark and on a phone', () => {
  it.each([
    ['in the dark', { colorScheme: 'dark' }],
    ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
  ])(
    'it can be read %s',
    async (_where, options) => {
      const page = await at('/subscriptions', options);
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await page.getByRole('region', { name: 'Periods and charges' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect(overflow).toBeLessThanOrEqual(0);
      await page.close();
    },
    SLOW,
  );
});
