import type { Page } from 'playwright-core';

import { World } from '../world.js';
import { says, subscribed } from './action-dialog.js';
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

const open = (id: string): Promise<Page> => browser.signedIn(world, `/subscriptions/${id}`);

describe('Stop', () => {
  it(
    'says what it gives back and when it ends, and stops now, by keyboard alone',
    async () => {
      const { scenario, id } = await subscribed(world);
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
      const { scenario, id } = await subscribed(world);
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
        'Jun 1, 2026: €15.00 will be charged.',
        'It is settled and closed on Jul 1, 2026.',
      ]);
      await dialog.getByRole('button', { name: 'Stop' }).click();
      await dialog.waitFor({ state: 'detached' });
      await scenario.until('2026-07-02');
      expect((await scenario.bill(id)).map(([date, amount]) => [date, amount])).toEqual([
        ['2026-04-01', 30],
        ['2026-05-01', 30],
        ['2026-06-01', 15],
      ]);
      expect((await scenario.ledger()).refunded).toBe(0);
      await page.close();
    },
    SLOW,
  );

  it(
    'says why a date is refused',
    async () => {
      const { id } = await subscribed(world);
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
      const { scenario, id } = await subscribed(world);
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
      const { id } = await subscribed(world, {});
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
