import { eventually, idIn, type Receiver } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, picture, waitForCount } from './console-page.js';
import { fillCompany, type SampleCompany } from './sample-company.js';

let world: World;
let browser: ConsoleBrowser;
let sample: SampleCompany;
let webhook: string;
let receiver: Receiver;

beforeAll(async () => {
  world = await World.start();
  sample = await fillCompany(world.admin, Date.now());
  ({ id: webhook, receiver } = await world.listening('user.created', '/hooks'));
  await world.user({ name: 'Told of' });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);

/** A day in the format of date inputs. */
function dayAfter(instant: { readonly $date: number | string }, days: number): string {
  return new Date(Number(instant.$date) + days * 86_400_000).toISOString().slice(0, 10);
}

async function everything(): Promise<number[]> {
  const kinds = ['subscriptions', 'payments', 'plans', 'users'];
  const lists = await Promise.all(kinds.map((kind) => world.admin.get(`/${kind}`, { size: 1, total: true })));
  return lists.map(({ headers }) => Number(headers['x-total-count']));
}

describe('A subscription as a picture', () => {
  it(
    'shows periods, charges, attempts and refunds, and the coming charges',
    async () => {
      const page = await at(`/subscriptions/${sample.subscriptions.failing}`);
      const line = page.getByRole('region', { name: 'Periods and charges' });
      await line
        .getByRole('button', { name: /Period: €129.00, .*, failed\. Explain/ })
        .first()
        .waitFor();
      await line
        .getByRole('button', { name: /collected\. Explain/ })
        .first()
        .waitFor();
      await waitForCount(line.getByRole('button', { name: /to come\. Explain/ }), 12);
      expect(await line.locator('.moment.try.bad').count()).toBeGreaterThanOrEqual(4);
      await picture(page, 'console-subscription');
      expect(await axeFindings(page)).toEqual([]);
      await page.close();
    },
    SLOW,
  );

  it(
    'explains each charge line by line, with its attempts, by keyboard too',
    async () => {
      const page = await at(`/subscriptions/${sample.subscriptions.paying}`);
      const charge = page.getByRole('button', { name: /Period: €49.00, .*, collected/ }).first();
      await charge.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Why €49.00?' });
      await dialog.getByText('the same amount').waitFor();
      expect(await dialog.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page
        .getByRole('button', { name: /to come\. Explain/ })
        .first()
        .click();
      await page.getByRole('dialog').getByText('To be charged on').waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'shows pauses, refunds and payments that wait for the bank',
    async () => {
      const page = await at(`/subscriptions/${sample.subscriptions.paused}`);
      await page.locator('.period.paused').waitFor();
      await page.locator('.moment.refund').first().waitFor();
      await page.goto(`${world.baseUrl}/console/`);
      await page.close();
      const other = await at(`/subscriptions/${sample.subscriptions.authenticating}`);
      await other
        .getByRole('button', { name: /waits for the bank\. Explain/ })
        .first()
        .waitFor();
      await other.close();
    },
    SLOW,
  );
});

describe('A what-if comparison', () => {
  it(
    'shows another plan, quantity, coupon and a failing card beside the real one, and stores nothing',
    async () => {
      const half = { code: 'HALF', percent_off: 0.5, duration: 'FOREVER', starting_date: Date.UTC(2020, 0) };
      await world.admin.made('/coupons', half);
      const before = await everything();
      const page = await at(`/subscriptions/${sample.subscriptions.paying}`);
      await page.getByRole('button', { name: 'What if…' }).click();
      const sum = page.getByRole('status');
      await sum.filter({ hasText: '12 charges, €588.00' }).waitFor();
      await page.getByLabel('Plan').selectOption({ label: 'Studio · €129.00' });
      await sum.filter({ hasText: '→ 12 charges, €1,548.00' }).waitFor();
      await page.getByLabel('Quantity').fill('3');
      await sum.filter({ hasText: '→ 12 charges, €4,644.00' }).waitFor();
      await page.getByLabel('Coupon code').fill('HALF');
      await page.getByLabel('Coupon code').blur();
      await sum.filter({ hasText: '→ 12 charges, €2,322.00' }).waitFor();
      await page.getByLabel('Coupon code').fill('');
      await page.getByLabel('Coupon code').blur();
      await sum.filter({ hasText: '→ 12 charges, €4,644.00' }).waitFor();
      await picture(page, 'console-what-if');
      await page.getByLabel('The card fails').check();
      await sum.filter({ hasText: '→ 0 charges' }).waitFor();
      expect(
        await page
          .getByRole('group', { name: 'What if' })
          .getByRole('button', { name: /failed/ })
          .count(),
      ).toBe(12);
      expect(await axeFindings(page)).toEqual([]);
      expect(await everything()).toEqual(before);
      await page.close();
    },
    SLOW,
  );
});

describe('Money', () => {
  it(
    'shows collected, expected and endangered revenue, with links to the lists',
    async () => {
      const page = await at('/');
      const tile = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) });
      await tile('Collected').waitFor();
      await tile('At risk: past due').filter({ hasText: '€69.00 owed' }).waitFor();
      await page.locator('.bar .ahead').first().waitFor();
      await page.getByLabel('Whose money').selectOption({ label: 'Test clock: Half a year' });
      await eventually(
        () => page.locator('.bar .collected').count(),
        (bars) => bars >= 4,
      );
      await picture(page, 'console-money');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel('Whose money').selectOption({ label: 'Real time' });
      await tile('At risk: past due').click();
      await page.getByRole('link', { name: 'Dorothy Vaughan' }).waitFor();
      await waitForCount(page.getByRole('table').getByRole('link'), 1);
      await page.close();
    },
    SLOW,
  );
});

describe('Webhooks', () => {
  it(
    'shows health and deliveries, sends a test event and repeats a delivery',
    async () => {
      const page = await at('/webhooks');
      await page.getByRole('img', { name: /Last 24 hours: \d+ attempts?, 0 % failed/ }).waitFor();
      await page.getByRole('link', { name: 'user.created' }).click();
      await page.getByRole('button', { name: 'Send a test event' }).click();
      await page.getByText('The endpoint accepted it: 200').waitFor();
      await page.getByRole('button', { name: 'Open' }).last().click();
      const dialog = page.getByRole('dialog', { name: 'user.created' });
      await dialog.getByText('"kind": "user.created"').waitFor();
      const first = receiver.messages[0]!;
      const headers = await dialog.getByLabel('Headers').innerText();
      expect(headers).toMatch(/^webhook-signature: v1,\S+$/m);
      expect(headers).toContain(`webhook-id: ${String(first.json.id)}`);
      expect(await dialog.getByLabel('Body, byte for byte').textContent()).toBe(first.raw.toString());
      await dialog.getByText('200', { exact: true }).first().waitFor();
      const sent = (): Promise<number> =>
        world.admin
          .read(`/webhooks/${webhook}/deliveries`)
          .then((all: { attempts: unknown[] }[]) =>
            all.reduce((sum, { attempts }) => sum + attempts.length, 0),
          );
      const before = await sent();
      await dialog.getByRole('button', { name: 'Send again' }).click();
      await dialog.getByText('The endpoint accepted it: 200').waitFor();
      const again = await eventually(sent, (now) => now > before, 60_000);
      await dialog.getByRole('button', { name: 'Replay' }).click();
      await eventually(sent, (now) => now > again, 60_000);
      expect(await axeFindings(page)).toEqual([]);
      await page.close();
    },
    SLOW,
  );
});

describe('Work', () => {
  it(
    'shows due work and releases held subscriptions',
    async () => {
      const shop = new Shop(world);
      const by = await shop.buyer();
      const plan = { name: 'Daily', interval_unit: 'DAY', currency: 'EUR', total_amount: 3, prepay: true };
      const body = {
        plan: idIn(await world.admin.made('/plans', plan)),
        user: by.id,
        payment_method: by.card,
      };
      const week = Date.now() - 7 * 86_400_000;
      const id = idIn(
        await world.admin.made('/subscriptions', { ...body, start_now: true, starting_date: week }),
      );
      await eventually(
        () => world.admin.read(`/subscriptions/${id}`),
        ({ held }) => held !== null,
        60_000,
      );
      const page = await at('/work');
      await page.getByText('Many periods are due at once').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Release' }).click();
      await page.getByText('No subscription is held.').waitFor();
      await eventually(
        async () => (await world.admin.read(`/subscriptions/${id}/payments`, { size: 20 })).length,
        (paid) => paid >= 8,
        60_000,
      );
      await page.close();
    },
    SLOW,
  );
});

describe('On a test clock', () => {
  it(
    'a step lets the line grow, and Play continues by itself',
    async () => {
      const page = await at(`/subscriptions/${sample.subscriptions.paying}`);
      const paid = page.getByRole('button', { name: /Period: €49.00, .*, (collected|refunded)\. Explain/ });
      await paid.first().waitFor();
      const before = await paid.count();
      await page.getByRole('button', { name: 'Step' }).click();
      await eventually(
        () => paid.count(),
        (now) => now === before + 1,
        60_000,
      );
      await page.getByRole('button', { name: 'Play' }).click();
      await eventually(
        () => paid.count(),
        (now) => now >= before + 3,
        90_000,
      );
      await page.getByRole('button', { name: 'Pause' }).first().click();
      await page.close();
    },
    SLOW,
  );

  it(
    'a leap reaches a day, and the line shows the charges on the way',
    async () => {
      const page = await at(`/subscriptions/${sample.subscriptions.failing}`);
      const line = page.getByRole('region', { name: 'Periods and charges' });
      // An uncollected amount joins the next charge.
      const past = line.getByRole('button', { name: /Period: .*, (collected|failed)\. Explain/ });
      await past.first().waitFor();
      const before = await past.count();
      const { frozen_time } = await world.admin.read(`/test_clocks/${sample.clock}`);
      const day = dayAfter(frozen_time, 70);
      await page.getByLabel('Leap to').fill(day);
      await page.getByRole('button', { name: 'Leap' }).click();
      await eventually(
        () => past.count(),
        (now) => now >= before + 2,
        150_000,
      );
      await page.close();
    },
    SLOW,
  );
});
