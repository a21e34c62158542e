import type { Page } from 'playwright-core';

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
