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

interface Asked {
  readonly scenario: Scenario;
  readonly id: string;
  readonly page: Page;
  readonly sums: (text: string) => Promise<void>;
}

/** A customer with 30.00 a month since 1 April, on 16 April, and the question open; a plan of 60.00 is beside it. */
async function asked(plan: object = { prepay: true }): Promise<Asked> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card();
  const id = await scenario.subscribed(plan, { payment_method });
  await scenario.settled(id);
  await scenario.plan({ ...plan, total_amount: 60, name: 'Double' });
  await scenario.until('2026-04-16');
  const page = await browser.signedIn(world, `/subscriptions/${id}`);
  await page.getByRole('button', { name: 'What if…' }).click();
  const sums = (text: string): Promise<void> => page.getByRole('status').filter({ hasText: text }).waitFor();
  return { scenario, id, page, sums };
}

describe('What if', () => {
  it(
    'counts from the next renewal: the same terms give the same charges',
    async () => {
      const { page, sums } = await asked();
      await page.getByText('Counted from the next renewal, May 1, 2026').waitFor();
      await sums('12 charges, €360.00 → 12 charges, €360.00');
      const charges = async (name: string): Promise<string[]> => {
        const marks = page.getByRole('group', { name }).getByRole('button', { name: /to come/ });
        return Promise.all(
          (await marks.all()).map(async (one) => String(await one.getAttribute('aria-label'))),
        );
      };
      const other = await charges('What if');
      expect(other[0]).toBe('Period: €30.00, May 1, 2026, to come. Explain');
      expect(other).toHaveLength(12);
      expect(other).toEqual(await charges('As it is'));
      await page.close();
    },
    SLOW,
  );

  it(
    'answers for another plan, quantity, coupon and date, and stores nothing',
    async () => {
      const { scenario, id, page, sums } = await asked();
      const half = {
        code: 'WHATIF',
        percent_off: 0.5,
        duration: 'FOREVER',
        starting_date: Date.UTC(2020, 0),
      };
      await world.admin.made('/coupons', half);
      const before = await scenario.row(id);
      await page.getByLabel('Plan').selectOption({ label: 'Double · €60.00' });
      await sums('12 charges, €360.00 → 12 charges, €720.00');
      await page.getByLabel('Quantity').fill('3');
      await sums('→ 12 charges, €2,160.00');
      await page.getByLabel('Coupon code').fill('WHATIF');
      await page.getByLabel('Coupon code').press('Tab');
      await sums('→ 12 charges, €1,080.00');
      await page.getByLabel('Quantity').fill('1');
      await page.getByLabel('Coupon code').fill('');
      await page.getByLabel('Coupon code').press('Tab');
      await sums('→ 12 charges, €720.00');
      // May and June as before, 15.00 more for half of June, then nine times 60.00.
      await page.getByLabel('From', { exact: true }).fill('2026-06-16');
      await page.getByText('Counted from Jun 16, 2026').waitFor();
      await sums('12 charges, €360.00 → 12 charges, €615.00');
      const other = page.getByRole('group', { name: 'What if' });
      await other
        .getByRole('button', { name: 'Proration: €15.00, Jun 16, 2026, to come. Explain' })
        .waitFor();
      // The charge for the rest of June belongs to the period of June, which is drawn once.
      const drawn = other.locator('.period.ahead rect');
      const places = await Promise.all((await drawn.all()).map((one) => one.getAttribute('x')));
      expect(places.length).toBeGreaterThan(10);
      expect(new Set(places).size).toBe(places.length);
      expect(await axeFindings(page)).toEqual([]);
      expect(await scenario.row(id)).toEqual(before);
      await page.close();
    },
    SLOW,
  );

  it(
    'lets a card fail by the rules of the plan, by keyboard alone',
    async () => {
      const { page, sums } = await asked({ prepay: true, max_fail_attempts: 3 });
      await sums('→ 12 charges, €360.00');
      await page.getByLabel('From', { exact: true }).focus();
      // The parts of a date, and then the box.
      for (let part = 0; part < 4; part += 1) await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.type')).toBe('checkbox');
      await page.keyboard.press('Space');
      await sums('→ 0 charges, €0.00');
      const failed = page.getByRole('group', { name: 'What if' }).getByRole('button', { name: /failed/ });
      await failed.nth(2).waitFor();
      const labels = await Promise.all((await failed.all()).map((one) => one.getAttribute('aria-label')));
      // A failed amount joins the next charge, and the third failure ends the subscription.
      expect(labels).toEqual([
        'Period: €30.00, May 1, 2026, failed. Explain',
        'Period: €60.00, Jun 1, 2026, failed. Explain',
        'Period: €90.00, Jul 1, 2026, failed. Explain',
      ]);
      await page.close();
    },
    SLOW,
  );

  it(
    'counts a subscription that ends as a new one from its end on',
    async () => {
      const { scenario, id, page } = await asked();
      await scenario.does(id, 'stop', { ending_date: Date.UTC(2026, 4, 16) });
      await page.close();
      const again = await browser.signedIn(world, `/subscriptions/${id}`);
      await again.getByRole('button', { name: 'What if…' }).click();
      await again
        .getByText('Counted as a new subscription of this customer that starts on May 16, 2026')
        .waitFor();
      const first = 'Period: €30.00, May 16, 2026, to come. Explain';
      await again.getByRole('group', { name: 'What if' }).getByRole('button', { name: first }).waitFor();
      await again.close();
    },
    SLOW,
  );
});
