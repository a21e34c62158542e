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

/** A customer with 30.00 a month, charged in advance on 1 April, on 16 April; and a plan of 60.00 beside it. */
async function subscriber(): Promise<{ scenario: Scenario; id: string; page: Page }> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card();
  const id = await scenario.subscribed({ prepay: true }, { payment_method });
  await scenario.settled(id);
  await scenario.plan({ prepay: true, total_amount: 60, name: 'Double' });
  await scenario.until('2026-04-16');
  return { scenario, id, page: await browser.signedIn(world, `/subscriptions/${id}`) };
}

describe('Change plan', () => {
  it(
    'previews the charges and changes plan and quantity, by keyboard alone',
    async () => {
      const { scenario, id, page } = await subscriber();
      await page.getByRole('button', { name: 'Change plan' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Change plan' });
      const charges = dialog.getByRole('status');
      await charges.filter({ hasText: 'May 1, 2026: €30.00' }).waitFor();
      await page.keyboard.press('Tab');
      await dialog.getByLabel('Plan').filter({ hasText: 'Double' }).waitFor();
      await page.keyboard.type('Double');
      await charges.filter({ hasText: 'Apr 16, 2026: €15.00' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowUp');
      await charges.filter({ hasText: 'Apr 16, 2026: €45.00' }).waitFor();
      await charges.filter({ hasText: 'May 1, 2026: €120.00' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await scenario.settled(id);
      expect((await scenario.bill(id)).map(([, amount]) => amount)).toEqual([30, 45]);
      expect(await scenario.subscription(id)).toMatchObject({ quantity: 2, pending_change: null });
      await page.close();
    },
    SLOW,
  );

  it(
    'schedules a change, shows it and withdraws it',
    async () => {
      const { scenario, id, page } = await subscriber();
      await page.getByRole('button', { name: 'Change plan' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change plan' });
      await dialog.getByLabel('Quantity').press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('3');
      await dialog.getByLabel('When').selectOption('At the end of the period');
      await dialog.getByRole('status').filter({ hasText: 'May 1, 2026: €90.00' }).waitFor();
      await dialog.getByRole('button', { name: 'Change plan' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('from May 1, 2026').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect((await scenario.subscription(id)).pending_change).toMatchObject({ quantity: 3 });
      await page.getByRole('button', { name: 'Withdraw' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('from May 1, 2026').waitFor({ state: 'detached' });
      expect((await scenario.subscription(id)).pending_change).toBeNull();
      await page.close();
    },
    SLOW,
  );

  it(
    'says why the service refuses a date',
    async () => {
      const { page } = await subscriber();
      await page.getByRole('button', { name: 'Change plan' }).click();
      const dialog = page.getByRole('dialog', { name: 'Change plan' });
      await dialog.getByLabel('When').selectOption('On a date');
      await dialog.getByLabel('Date', { exact: true }).fill('2026-04-10');
      await dialog.getByRole('alert').filter({ hasText: 'The date must be in the future' }).waitFor();
      await page.close();
    },
    SLOW,
  );
});
