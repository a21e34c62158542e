import { eventually } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, picture } from './console-page.js';
import { fillCompany, type SampleCompany } from './sample-company.js';

let world: World;
let browser: ConsoleBrowser;
let sample: SampleCompany;

beforeAll(async () => {
  world = await World.start();
  const { receiver } = await world.listening('user.created', '/hooks');
  const payments = ['payment.created', 'payment.failed', 'payment.requires_auth'];
  const kinds = ['user.created', 'subscription.created', 'subscription.activated', ...payments];
  const endpoint = `${receiver.url}/the/events/of/our/shop/that/we/follow`;
  await world.admin.made('/webhooks', { kinds, endpoint, confirm: 'later' });
  const address = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
  const seller = { name: 'Teehaus GmbH', address, vat_id: 'DE136695976', invoice_prefix: 'R' };
  await world.admin.changed('/company', { seller });
  sample = await fillCompany(world.admin, Date.now());
  await world.admin.made('/keys', { kind: 'service', expires: Date.now() + 86_400_000 });
  const product = { name: 'Tea', price: 20, currency: 'EUR', active: true };
  const { _id } = await world.admin.made('/products', product);
  await world.admin.made('/orders', { items: [{ product: _id.$oid }], user: sample.customer });
  expect(receiver.received.length).toBeGreaterThan(0);
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true } as const;

/** Every page of the navigation. */
const PAGES = [
  ...['Money', 'Subscriptions', 'Payments', 'Invoices', 'Orders', 'Customers', 'Plans', 'Products'],
  ...['Coupons', 'Webhooks', 'Events', 'Work', 'Test clocks', 'Keys', 'Company'],
];

/** Those that the documentation shows. */
const PICTURED = new Map([
  ['Webhook', 'console-webhooks'],
  ['Events', 'console-events'],
  ['Invoices', 'console-invoices'],
  ['Invoice', 'console-invoice'],
]);

/** The elements whose content does not fit into them. */
const cutOff = (page: Page, elements: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${elements}')]
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.className + ' ' + one.textContent.slice(0, 80))`);

/** Waits until nothing is loading and names have replaced the ids. */
async function settled(page: Page): Promise<void> {
  await page.locator('.brand[data-busy="false"]').waitFor();
  await page.getByText('Loading…').waitFor({ state: 'detached' });
  await eventually(
    () => page.locator('.loading-text').count(),
    (pending) => pending === 0,
    30_000,
  );
}

/** The pages reached from other pages. */
const OPENED: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  [
    'Subscription',
    async (page) => {
      await goTo(page, 'Subscriptions');
      await page.getByRole('link', { name: 'Grace Hopper' }).click();
      await page.getByRole('region', { name: 'Periods and charges' }).waitFor();
    },
  ],
  [
    'Invoice',
    async (page) => {
      await goTo(page, 'Invoices');
      await page
        .getByRole('link', { name: /^R\d{4}-\d{6}$/ })
        .first()
        .click();
      await page.getByRole('region', { name: 'Lines' }).waitFor();
    },
  ],
  [
    'Exchange rates',
    async (page) => {
      await goTo(page, 'Invoices');
      await page.getByRole('link', { name: 'Exchange rates' }).click();
      await page.getByRole('heading', { level: 1, name: 'Exchange rates' }).waitFor();
    },
  ],
  [
    'Webhook',
    async (page) => {
      await goTo(page, 'Webhooks');
      await page.getByRole('link', { name: 'subscription.activated and 3 more' }).waitFor();
      await page.getByRole('link', { name: 'user.created', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'user.created' }).waitFor();
    },
  ],
];

describe('Every page', () => {
  it.each([
    ['in the light', { colorScheme: 'light' }],
    ['in the dark', { colorScheme: 'dark' }],
    ['on a phone', PHONE],
  ] as const)(
    'can be read %s, and nothing overflows',
    async (where, options) => {
      const page = await browser.signedIn(world, '/', options);
      const all = [...PAGES.map((name) => [name, (at: Page) => goTo(at, name)] as const), ...OPENED];
      for (const [name, open] of all) {
        await open(page);
        await settled(page);
        expect([name, await axeFindings(page)]).toEqual([name, []]);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect([name, overflow]).toEqual([name, 0]);
        if (where === 'in the light') await picture(page, PICTURED.get(name) ?? null);
        // A long name may be shortened in its cell, but not on a phone, where nothing shows the rest of it.
        const elements = 'hasTouch' in options ? '.table-frame, th, td' : '.table-frame';
        expect([name, await cutOff(page, elements)]).toEqual([name, []]);
      }
      await page.close();
    },
    SLOW,
  );

  it(
    'of the navigation is in sight on a phone, as are the plan and the amount of a subscription',
    async () => {
      const page = await browser.signedIn(world, '/subscriptions', PHONE);
      await page
        .getByRole('cell', { name: /\u20ac/ })
        .first()
        .waitFor();
      const texts = await page.getByRole('columnheader').allInnerTexts();
      expect(texts).toEqual(['Customer', 'Plan', 'Status', 'Last charge']);
      expect(await page.getByLabel('Customer', { exact: true }).isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByLabel('Status').selectOption('ACTIVE');
      await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
      await goTo(page, 'Keys');
      const { x, width } = (await page.getByRole('link', { name: 'Keys', exact: true }).boundingBox()) ?? {
        x: -1,
        width: 0,
      };
      expect([x >= 0, x + width <= PHONE.viewport.width]).toEqual([true, true]);
      await page.close();
    },
    SLOW,
  );
});

describe('The numbers on the money page', () => {
  /**
   * Follows a tile and returns the number of payments in its list, which are those that the API returns for its
   * address.
   */
  async function followed(page: Page): Promise<{ query: Record<string, string>; payments: number }> {
    await page.getByRole('link', { name: /^Collected/ }).click();
    await page.getByRole('table').waitFor();
    const query = Object.fromEntries(new URL(page.url()).searchParams);
    const listed: unknown[] = await world.admin.read('/payments', { ...query, size: 100 });
    const count = async (): Promise<number> =>
      Number(await page.getByRole('table').getAttribute('aria-rowcount')) - 1;
    await eventually(count, (rows) => rows === listed.length, 30_000);
    return { query, payments: listed.length };
  }

  it(
    'lead to the payments of their customers and their currency only',
    async () => {
      const page = await browser.signedIn(world, '/');
      const real = await followed(page);
      expect(real.query).toMatchObject({ status: 'SUCCEEDED', currency: 'EUR', real_time: 'true' });
      expect(real.payments).toBe(3);
      await page.getByRole('button', { name: 'Remove the filter: Real time' }).click();
      const all = page.getByRole('link', { name: 'Ada Lovelace' });
      await all.first().waitFor();

      await goTo(page, 'Money');
      await page.getByLabel('Whose money').selectOption({ label: 'Test clock: Half a year' });
      await page.locator('.bar .collected').nth(3).waitFor();
      const onClock = await followed(page);
      expect(onClock.query).toMatchObject({ currency: 'EUR', test_clock: sample.clock });
      expect(onClock.payments).toBeGreaterThan(10);
      expect(await page.getByRole('link', { name: 'Alan Turing' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Remove the filter: One test clock' }).waitFor();
      await page.close();
    },
    SLOW,
  );
});

describe('A form', () => {
  it(
    'can be filled by keyboard alone, field by field in the order of the page',
    async () => {
      const page = await browser.signedIn(world, '/coupons');
      await page.getByRole('button', { name: 'New coupon' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New coupon' });
      await dialog.getByLabel(/^Name/).waitFor();
      const focused = (): Promise<string> =>
        page.evaluate(
          '(document.activeElement.labels?.[0] ?? document.activeElement).textContent || document.activeElement.ariaLabel',
        );
      const lowers = 'On a subscription, it lowers';
      const discount = ['Percent off', 'Amount off', 'Currency', lowers, 'How many periods'];
      const fields = ['Name', 'Code', ...discount, 'Only for products', 'Valid until'];
      const seen: string[] = [];
      while (seen.at(-1) !== 'Create' && seen.length < 30) {
        const name = (await focused()).replace(' (required)', '');
        // A date input has several places to type in.
        if (name !== seen.at(-1)) seen.push(name);
        if (name === 'Name') await page.keyboard.type('By hand');
        if (name === 'Code') await page.keyboard.type('BYHAND');
        if (name === 'Percent off') await page.keyboard.type('0.5');
        if (name !== 'Create') await page.keyboard.press('Tab');
      }
      const often = ['How often it can be used', 'How often one customer can use it'];
      expect(seen).toEqual(['Close', ...fields, ...often, 'More', 'Create']);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'By hand' }).waitFor();
      // Closing a form returns the focus to the button that opened it.
      await page.locator('button:focus', { hasText: 'New coupon' }).waitFor();
      await page.close();
    },
    SLOW,
  );
});
