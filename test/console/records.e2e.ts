import type { Page } from 'playwright-core';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, picture } from './console-page.js';
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
    'are made, changed and deleted; what the service refuses is said at its field',
    async () => {
      const page = await at('/plans');
      await page.getByRole('button', { name: 'New plan' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Yearly');
      await dialog.getByLabel('Total amount').fill('-5');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('fields need your attention').waitFor();
      const wrong = dialog.getByLabel('Interval unit');
      expect(await wrong.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFindings(page)).toEqual([]);
      await wrong.selectOption('ANNUAL');
      await dialog.getByLabel('Currency').fill('EUR');
      await dialog.getByLabel('Total amount').fill('500');
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
    ['coupon', '/coupons', { Name: 'Summer', 'Percent off': '0.1' }],
    ['product', '/products', { Name: 'Lamp', Currency: 'EUR', Price: '19.99' }],
    ['customer', '/users', { Name: 'Hedy Lamarr', Email: 'hedy@example.com' }],
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
    'of every kind are listed, and have a form with nothing serious in it',
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
      await picture(page, `console-${'viewport' in options ? 'phone' : 'dark'}`);
      await page.close();
    },
    SLOW,
  );
});
