import { eventually } from '@commerce/testing';
import type { Locator, Page } from 'playwright-core';

import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

interface Subscribed {
  readonly scenario: Scenario;
  readonly id: string;
}

/** A customer with 30.00 a month since 1 April, on 16 April. */
async function subscribed(plan: object = { prepay: true }): Promise<Subscribed> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card();
  const id = await scenario.subscribed(plan, { payment_method });
  await scenario.settled(id);
  await scenario.until('2026-04-16');
  return { scenario, id };
}

const open = (id: string): Promise<Page> => browser.signedIn(world, `/subscriptions/${id}`);

/** Waits until a dialog says exactly these lines. */
async function says(dialog: Locator, lines: readonly string[]): Promise<void> {
  const said = await eventually(
    () => dialog.getByRole('status').getByRole('listitem').allTextContents(),
    (now) => JSON.stringify(now) === JSON.stringify(lines),
    20_000,
  ).catch(() => dialog.getByRole('status').getByRole('listitem').allTextContents());
  expect(said).toEqual(lines);
}

describe('Take back', () => {
  it(
    'continues a subscription that was to end, by keyboard alone',
    async () => {
      const { scenario, id } = await subscribed();
      await scenario.does(id, 'stop', { ending_date: Date.UTC(2026, 4, 16) });
      const page = await open(id);
      await page.getByText('Non renewing').first().waitFor();
      await page.getByRole('button', { name: 'Take back' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Take back' });
      await dialog.getByText('it no longer ends on May 16, 2026').waitFor();
      await dialog.getByText('It renews on May 1, 2026').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', ending_date: null });
      expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([30]);
      await page.close();
    },
    SLOW,
  );

  it(
    'is not offered once the end has come',
    async () => {
      const { scenario, id } = await subscribed();
      await scenario.does(id, 'stop');
      const page = await open(id);
      await page.getByText('Non renewing').first().waitFor();
      expect(await page.getByRole('button', { name: 'Take back' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
      await page.close();
    },
    SLOW,
  );
});

describe('Stop', () => {
  it(
    'says what it gives back and when it ends, and stops now, by keyboard alone',
    async () => {
      const { scenario, id } = await subscribed();
      const page = await open(id);
      await page.getByRole('button', { name: 'Stop' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Stop' });
      // The mildest is offered first.
      await says(dialog, [
        'Service ends on May 1, 2026.',
        'Until then it can be taken back.',
        'Nothing is charged, and nothing is given back.',
        'It is settled and closed on May 1, 2026.',
      ]);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Now');
      await says(dialog, [
        'Service ends now.',
        'This cannot be taken back.',
        'May 1, 2026: €15.00 go back to the card.',
        'It is settled and closed on May 1, 2026.',
      ]);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING', prorate_amount: -15 });
      await scenario.until('2026-05-02');
      expect((await scenario.ledger()).refunded).toBe(1500);
      await page.close();
    },
    SLOW,
  );

  it(
    'says what a stop at a date still charges',
    async () => {
      const { scenario, id } = await subscribed();
      const page = await open(id);
      await page.getByRole('button', { name: 'Stop' }).click();
      const dialog = page.getByRole('dialog', { name: 'Stop' });
      await dialog.getByLabel('When').selectOption('On a date');
      expect(await dialog.getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Date', { exact: true }).fill('2026-06-16');
      await says(dialog, [
        'Service ends on Jun 16, 2026.',
        'Until then it can be taken back.',
        'May 1, 2026: €30.00 will be charged.',
        'Jun 1, 2026: €30.00 will be charged.',
        'Jul 1, 2026: €15.00 go back to the card.',
        'It is settled and closed on Jul 1, 2026.',
      ]);
      await dialog.getByRole('button', { name: 'Stop' }).click();
      await dialog.waitFor({ state: 'detached' });
      await scenario.until('2026-07-02');
      expect((await scenario.bill(id)).map(([date, amount]) => [date, amount])).toEqual([
        ['2026-04-01', 30],
        ['2026-05-01', 30],
        ['2026-06-01', 30],
      ]);
      expect((await scenario.ledger()).refunded).toBe(1500);
      await page.close();
    },
    SLOW,
  );

  it(
    'says why a date is refused',
    async () => {
      const { id } = await subscribed();
      const page = await open(id);
      await page.getByRole('button', { name: 'Stop' }).click();
      const dialog = page.getByRole('dialog', { name: 'Stop' });
      await dialog.getByLabel('When').selectOption('On a date');
      await dialog.getByLabel('Date', { exact: true }).fill('2026-03-01');
      await dialog.getByRole('alert').filter({ hasText: 'past' }).waitFor();
      await page.close();
    },
    SLOW,
  );
});

describe('Pause', () => {
  it(
    'says what it gives back and when it goes on, by keyboard alone',
    async () => {
      const { scenario, id } = await subscribed();
      const page = await open(id);
      await page.getByRole('button', { name: 'Pause' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Pause' });
      await says(dialog, [
        'Service and billing rest from now on.',
        'They rest until it is started again.',
        'Apr 16, 2026: €15.00 go back to the card.',
      ]);
      await dialog.getByLabel('Goes on by itself on').fill('2026-04-21');
      await dialog.getByText('They go on by themselves on Apr 21, 2026.').waitFor();
      await dialog.getByText('Apr 21, 2026: €10.00 will be charged.').waitFor();
      await dialog.getByText('Further charges follow.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Pause' }).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect((await scenario.subscription(id)).status).toBe('PAUSED');
      await scenario.until('2026-04-22');
      expect((await scenario.subscription(id)).status).toBe('ACTIVE');
      expect((await scenario.bill(id)).map(([date, amount]) => [date, amount])).toEqual([
        ['2026-04-01', 30],
        ['2026-04-21', 10],
      ]);
      expect((await scenario.ledger()).refunded).toBe(1500);
      await page.close();
    },
    SLOW,
  );

  it(
    'says what is charged for used days of a plan that is paid afterwards',
    async () => {
      const { id } = await subscribed({});
      const page = await open(id);
      await page.getByRole('button', { name: 'Pause' }).click();
      await says(page.getByRole('dialog', { name: 'Pause' }), [
        'Service and billing rest from now on.',
        'They rest until it is started again.',
        'Apr 16, 2026: €15.00 will be charged.',
      ]);
      await page.close();
    },
    SLOW,
  );
});
