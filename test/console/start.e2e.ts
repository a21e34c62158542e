import type { Page } from 'playwright-core';

import { Scenario } from '../flows/scenario.js';
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

describe('Take back', () => {
  it(
    'continues a subscription that was to end, by keyboard alone',
    async () => {
      const { scenario, id } = await subscribed(world);
      await scenario.does(id, 'stop', { ending_date: Date.UTC(2026, 4, 16) });
      const page = await open(id);
      await page.getByText('Non renewing').first().waitFor();
      await page.getByRole('button', { name: 'Take back' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Take back' });
      await says(dialog, [
        'The stop is taken back: it no longer ends on May 16, 2026.',
        'May 1, 2026: €30.00 will be charged.',
        'Jun 1, 2026: €30.00 will be charged.',
        'Jul 1, 2026: €30.00 will be charged.',
        'Further charges follow.',
      ]);
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
      const { scenario, id } = await subscribed(world);
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

describe('Start', () => {
  it(
    'says when a new subscription begins, its trial and its charges, by keyboard alone',
    async () => {
      const scenario = await Scenario.begin(world, '2026-04-01');
      const payer = { payment_method: await scenario.card(), start_now: false };
      const id = await scenario.subscribed({ prepay: true, trial_days: 5 }, payer);
      const page = await open(id);
      await page.getByRole('button', { name: 'Start' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Start' });
      await dialog.getByText('Service begins now.').waitFor();
      await dialog.getByLabel('Begins on').fill('2026-04-03');
      await says(dialog, [
        'Service begins on Apr 3, 2026.',
        'The trial lasts until Apr 8, 2026.',
        'Apr 8, 2026: €30.00 will be charged.',
        'May 8, 2026: €30.00 will be charged.',
        'Jun 8, 2026: €30.00 will be charged.',
        'Further charges follow.',
      ]);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Start' }).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await scenario.until('2026-05-09');
      expect((await scenario.bill(id)).map(([date, amount]) => [date, amount])).toEqual([
        ['2026-04-08', 30],
        ['2026-05-08', 30],
      ]);
      await page.close();
    },
    SLOW,
  );

  it(
    'says that nobody pays where no card is chosen',
    async () => {
      const scenario = await Scenario.begin(world, '2026-04-01');
      const id = await scenario.subscribed({ prepay: true, trial_days: 5, setup_fee: 10 });
      const page = await open(id);
      await page.getByRole('button', { name: 'Start' }).click();
      await says(page.getByRole('dialog', { name: 'Start' }), [
        'Service begins now.',
        'The trial lasts until Apr 6, 2026.',
        'It has no card: only the customer’s balance can pay for it.',
        'Apr 1, 2026: €10.00 will be charged.',
      ]);
      await page.close();
    },
    SLOW,
  );

  it(
    'resumes a paused one on its dates, or with a new period',
    async () => {
      const { scenario, id } = await subscribed(world);
      await scenario.does(id, 'pause');
      await scenario.until('2026-04-21');
      const page = await open(id);
      await page.getByRole('button', { name: 'Start' }).click();
      const dialog = page.getByRole('dialog', { name: 'Start' });
      await says(dialog, [
        'Service and billing go on now.',
        'Apr 21, 2026: €10.00 will be charged.',
        'May 1, 2026: €30.00 will be charged.',
        'Jun 1, 2026: €30.00 will be charged.',
        'Further charges follow.',
      ]);
      await dialog.getByLabel('It goes on').selectOption('On new dates: a whole period begins now');
      await dialog.getByText('Apr 21, 2026: €30.00 will be charged.').waitFor();
      await dialog.getByRole('button', { name: 'Start' }).click();
      await dialog.waitFor({ state: 'detached' });
      await scenario.until('2026-05-22');
      expect((await scenario.bill(id)).map(([date, amount]) => [date, amount])).toEqual([
        ['2026-04-01', 30],
        ['2026-04-21', 30],
        ['2026-05-21', 30],
      ]);
      await page.close();
    },
    SLOW,
  );
});
