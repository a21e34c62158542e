import { idIn } from '@commerce/testing';
import type { Locator, Page } from 'playwright-core';

import { Scenario } from '../flows/scenario.js';
import { World, type Merchant } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

/** Makes a large amount recur. */
async function selling(): Promise<Merchant> {
  const merchant = await world.stranger();
  const { admin } = merchant;
  const monthly = { interval_unit: 'MONTH', currency: 'EUR', total_amount: 150_030, prepay: true };
  const plan = idIn(await admin.made('/plans', monthly));
  const user = idIn(await admin.made('/users', { name: 'Large' }));
  const payment_method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await admin.changed(`/payment_methods/${payment_method}`, { payment_method_id: 'pm_card_visa' });
  await admin.made('/subscriptions', { plan, user, payment_method, start_now: true });
  return merchant;
}

/** Pairs of labels that overlap: one begins before the other ends. */
async function overlapping(labels: Locator): Promise<[string, string][]> {
  const boxes = await labels.evaluateAll((all) =>
    all
      .filter((one) => one.textContent !== '')
      .map((one) => {
        const { left, right } = one.getBoundingClientRect();
        return { text: one.textContent, left, right };
      }),
  );
  expect(boxes.length).toBeGreaterThan(5);
  boxes.sort((a, b) => a.left - b.left);
  return boxes.flatMap((box, index) => {
    const next = boxes[index + 1];
    return next !== undefined && next.left < box.right ? [[box.text, next.text] as [string, string]] : [];
  });
}

/** The texts of a column, by its title. */
async function column(table: Locator, title: string): Promise<string[]> {
  const heads = await table.getByRole('columnheader').allInnerTexts();
  const rows = await table.locator('tbody tr').all();
  const cells = await Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
  return cells.map((texts) => texts[heads.indexOf(title)] ?? '');
}

async function settled(page: Page): Promise<void> {
  await page.locator('.brand[data-busy="false"]').waitFor();
}

describe('The labels above the bars', () => {
  it.each([
    ['at 1360 pixels', { width: 1360, height: 900 }],
    ['at 390 pixels', { width: 390, height: 844 }],
  ])(
    'never overlap %s, however large the amounts',
    async (_where, viewport) => {
      const page = await browser.signedIn(await selling(), '/', { viewport });
      await page.locator('.bars rect.ahead').nth(10).waitFor();
      await settled(page);
      expect(
        await overlapping(page.getByRole('region', { name: 'Month by month' }).last().locator('text.sum')),
      ).toEqual([]);
      const revenue = page.getByRole('region', { name: 'Recurring revenue', exact: true });
      await revenue.getByText('€150,030', { exact: true }).waitFor();
      await page.getByText('Nobody owes anything.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.context().close();
    },
    SLOW,
  );
});

describe('A debt that was collected later', () => {
  it(
    'is not shown as failed; one that is still open is, in its month and by its age',
    async () => {
      const today = new Date();
      const start = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 3, 5));
      const month = (offset: number, date: number): number =>
        Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + offset, date);
      const scenario = await Scenario.begin(world, start.toISOString().slice(0, 10));
      const bill = { payment_method: await scenario.card() };
      const [repaid, failing] = [
        await scenario.subscribed({ prepay: true }, bill),
        await scenario.subscribed({ prepay: true, total_amount: 20 }, bill),
      ];
      await scenario.until(month(1, 1));
      await scenario.changes(repaid, { payment_method: await scenario.card('chargeDeclined') });
      await scenario.until(month(1, 8));
      await scenario.changes(repaid, { payment_method: await scenario.card() });
      await scenario.until(month(2, 1));
      await scenario.changes(failing, { payment_method: await scenario.card('chargeDeclined') });
      await scenario.until(month(2, 8));
      const page = await browser.signedIn(world, '/');
      await page.getByLabel('Whose money').selectOption(scenario.clock);
      await page.locator('.bar .collected').nth(2).waitFor();
      await settled(page);
      // Opened by keyboard.
      await page.getByText('As a table').first().focus();
      await page.keyboard.press('Enter');
      const table = page.getByRole('table', { name: 'Month by month' });
      await table.waitFor();
      const past = (texts: readonly string[]): string[] => texts.slice(2, 5);
      expect(past(await column(table, 'Collected'))).toEqual(['€50.00', '€50.00', '€30.00']);
      expect(past(await column(table, 'Failed, not collected since'))).toEqual(['€0.00', '€0.00', '€20.00']);
      const debts = page.getByRole('table', { name: 'Open debts' });
      expect(await debts.locator('tbody tr').allInnerTexts()).toEqual([
        expect.stringMatching(/0 to 7 days\s+Past due\s+1\s+€0\.00\s+€20\.00/),
      ]);
      await debts.getByRole('link', { name: 'Past due' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Subscriptions' }).waitFor();
      expect(new URL(page.url()).searchParams.get('collection_state')).toBe('PAST_DUE');
      await page.context().close();
    },
    SLOW,
  );
});

describe('Money of a new company', () => {
  it(
    'leads to the first thing to do',
    async () => {
      const page = await browser.signedIn(await world.stranger(), '/');
      await page.getByText('There is no money yet.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('link', { name: 'Make a plan' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
      await page.context().close();
    },
    SLOW,
  );
});
