import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, waitForCount } from './console-page.js';

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

/** The months that the date of now covers. */
const COVERED = `(() => {
  const pill = document.querySelector('.now rect').getBoundingClientRect();
  return [...document.querySelectorAll('.tick text')].filter((one) => {
    const { left, right } = one.getBoundingClientRect();
    return right > pill.left && left < pill.right;
  }).map((one) => one.textContent);
})()`;

/** The cells and values whose text does not fit. */
const CLIPPED = `[...document.querySelectorAll('td, dd, .page-head *')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline')
  .map((one) => one.textContent)`;

const VIEWS = [
  ['on a wide screen', { viewport: { width: 1360, height: 900 } }],
  ['on a phone', { viewport: { width: 390, height: 844 }, hasTouch: true }],
] as const;

describe('The page of a subscription', () => {
  it.each(VIEWS)(
    'says its plan, its price and the charges to come, and nothing covers or clips another: %s',
    async (_where, options) => {
      const scenario = await Scenario.begin(world, '2026-01-31');
      const payment_method = await scenario.card();
      const plan = { name: 'Beans', prepay: true, interval_count: 3 };
      const id = await scenario.subscribed(plan, { payment_method, quantity: 2 });
      await scenario.settled(id);
      // Four days before the label of a month.
      await scenario.until('2026-05-28');
      const page = await browser.signedIn(world, `/subscriptions/${id}`, options);
      await page.getByText('2 × €30.00 every 3 months, in advance').waitFor();
      await page.getByRole('link', { name: 'Beans' }).waitFor();
      const ahead = page.getByRole('table', { name: 'To come' }).getByRole('row');
      await ahead.first().filter({ hasText: 'Jul 31, 2026' }).filter({ hasText: '€60.00' }).waitFor();
      await waitForCount(ahead, 6);
      await waitForCount(page.getByRole('table', { name: 'Charges' }).getByRole('row'), 2);
      expect(await page.evaluate(COVERED)).toEqual([]);
      expect(await page.evaluate(CLIPPED)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await axeFindings(page)).toEqual([]);
      await ahead.first().getByRole('button', { name: 'Explain' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Why €60.00?' }).getByText('To be charged on').waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'names the two lines of a comparison where they can be seen, on a phone',
    async () => {
      const scenario = await Scenario.begin(world, '2026-01-31');
      const payment_method = await scenario.card();
      const id = await scenario.subscribed({ prepay: true }, { payment_method });
      await scenario.settled(id);
      await scenario.until('2026-07-01');
      const page = await browser.signedIn(world, `/subscriptions/${id}`, VIEWS[1][1]);
      await page.getByRole('button', { name: 'What if…' }).click();
      await page.getByRole('status').filter({ hasText: '→ 12 charges, €360.00' }).waitFor();
      for (const name of ['As it is', 'What if']) {
        const box = await page.locator('.band-name', { hasText: name }).boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
      }
      expect(await axeFindings(page)).toEqual([]);
      await page.close();
    },
    SLOW,
  );
});
