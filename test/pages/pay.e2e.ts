import { readFileSync } from 'node:fs';

import { Companies, Tokens } from '@commerce/identity';
import { SystemClock } from '@commerce/platform';
import { eventually, idIn } from '@commerce/testing';
import type { Browser, Page } from 'playwright-core';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { openBrowser } from './browser.js';

/** The folder for documentation pictures; they are taken on request only. */
const PICTURES = process.env['PICTURES'];

let world: World;
let shop: Shop;
let browser: Browser;
let tea: string;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), openBrowser()]);
  shop = new Shop(world);
  await world.get(Companies).update(world.company, { name: 'Leaf & Kettle' });
  tea = await shop.product({ name: 'Darjeeling, 250 g', price: 12.5, vat: 0.07 });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

interface Owed {
  readonly by: Buyer;
  readonly order: any;
  /** The address of the page on this run's API. */
  readonly url: string;
}

const here = (pay_url: string): string => world.baseUrl + new URL(pay_url).pathname;

/** An order that an absent customer must authenticate. */
async function owed(values: object = {}): Promise<Owed> {
  const by = await shop.buyer('authenticationRequired');
  const items = [{ product: tea, quantity: 2 }];
  const body = { items, user: by.id, payment_method: by.card, ...values };
  const order = await world.admin.made('/orders', body);
  expect(order).toMatchObject({ status: 'REQUIRES_AUTH', pay_url: expect.stringContaining('/pay/') });
  return { by, order, url: here(order.pay_url) };
}

const problems: string[] = [];

afterEach(() => expect(problems.splice(0)).toEqual([]));

/** Opens the page; a violation of its policy or an error in its script fails the test. */
async function open(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 720, height: 860 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      problems.push(message.text());
  });
  await page.goto(url);
  return page;
}

const bank = (page: Page): ReturnType<Page['frameLocator']> => page.frameLocator('dialog iframe');

const orderOf = ({ order }: Owed): Promise<any> => world.admin.read(`/orders/${idIn(order)}`);

describe('The page on which a customer pays', () => {
  it('shows the debt and its purpose, and pays once the bank has approved', async () => {
    const { code } = await shop.coupon({ percent_off: 0.1, code: 'AUTUMN' });
    const one = await owed({ coupon: code });
    const page = await open(one.url);
    expect(await page.title()).toBe('Confirm your payment · Leaf & Kettle');
    const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
    for (const part of [
      `Order ${String(one.order.human_id)} at Leaf & Kettle`,
      '€22.50',
      '2 × Darjeeling, 250 g €25.00',
      'Coupon AUTUMN −€2.50',
      'VAT, included €1.47',
    ]) {
      expect(text).toContain(part);
    }
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/pay-page.png` });
    await page.getByRole('button', { name: 'Confirm €22.50' }).click();
    await bank(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await orderOf(one)).toMatchObject({ status: 'PAID', pay_url: null });
    expect(await shop.ledger(one.by)).toMatchObject({ captured: 2250, charges: 1 });
    await page.close();
  }, 60_000);

  it("shows the lines of a subscription's charge, debt included", async () => {
    const START = Date.UTC(2026, 0, 1);
    const clock = idIn(await world.admin.made('/test_clocks', { frozen_time: START }));
    const { id: user } = await world.user({ test_clock: clock });
    const product = await shop.product({ name: 'Club', price: 49, vat: 0.19 });
    const plan = await world.admin.made('/plans', {
      ...{ name: 'Club', currency: 'EUR', interval_unit: 'MONTH', prepay: true },
      ...{ items: [{ product, quantity: 1 }], setup_fee: 5 },
      ...{ should_retry_payments: true, max_payment_retries: 1 },
    });
    const empty = await world.admin.made('/payment_methods', { payment_method: 'stripe', user });
    const card = { payment_method_id: 'pm_card_chargeDeclinedInsufficientFunds' };
    await world.admin.put(`/payment_methods/${idIn(empty)}`, card);
    const { _id } = await world.admin.made('/subscriptions', {
      ...{ plan: idIn(plan), user, payment_method: idIn(empty), start_now: true },
    });
    await world.admin.made(`/test_clocks/${clock}/advance`, { frozen_time: Date.UTC(2026, 1, 1) });
    await eventually(
      () => world.admin.read(`/test_clocks/${clock}`),
      ({ status }) => status === 'ready',
    );
    const [last] = await world.admin.read<any[]>(`/subscriptions/${_id.$oid}/payments`);
    const { pay_url, amount } = await world.admin.read(`/payments/${idIn(last)}`);
    expect(amount).toBe(103);
    const page = await open(here(pay_url));
    const rows = await page.locator('dl > div').allInnerTexts();
    const shown = rows.map((row) => row.replaceAll(/\s+/g, ' '));
    expect(shown).toEqual([
      ...[expect.any(String), expect.stringMatching(/^Feb 1 – 28, 2026 .* €49\.00$/)],
      ...[expect.stringMatching(/^1 × Club /), expect.stringMatching(/^VAT 19 %, included /)],
      ...['Owed from before €54.00', expect.stringContaining('Reference')],
    ]);
    await page.close();
  }, 60_000);

  it('lets the customer take another card when the bank does not approve', async () => {
    const one = await owed();
    const page = await open(one.url);
    await page.getByRole('button', { name: 'Confirm €25.00' }).click();
    await bank(page).getByRole('button', { name: 'Decline' }).click();
    const alert = page.getByRole('alert');
    await page.getByRole('button', { name: 'Pay €25.00' }).waitFor();
    expect(await alert.innerText()).not.toBe('');
    expect(await orderOf(one)).toMatchObject({ status: 'PENDING_PAYMENT' });
    await page.getByRole('button', { name: 'Pay €25.00' }).click();
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await orderOf(one)).toMatchObject({ status: 'PAID' });
    expect(await shop.ledger(one.by)).toMatchObject({ captured: 2500, charges: 1 });
    await page.close();
  }, 60_000);

  it('takes another card immediately, by keyboard alone; a declined card leaves the page unchanged', async () => {
    const one = await owed();
    const page = await open(one.url);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.innerText)).toBe(
      'Confirm €25.00',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.getByLabel('Test card').selectOption({ label: 'Visa •••• 9995, has no money' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: /\w/ }).waitFor();
    expect(await alert.innerText()).toMatch(/insufficient funds|declined/i);
    await page.getByLabel('Test card').selectOption({ label: 'Mastercard •••• 4444, pays' });
    await page.getByRole('button', { name: 'Pay €25.00' }).press('Enter');
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await shop.ledger(one.by)).toMatchObject({ captured: 2500, charges: 1 });
    await page.close();
  }, 60_000);

  it('reports a paid payment', async () => {
    const one = await owed();
    const payment_method = idIn(await shop.card(one.by.client));
    await one.by.client.made(`/orders/${idIn(one.order)}/pay`, { payment_method });
    const page = await open(one.url);
    await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
    expect(await page.getByRole('button').count()).toBe(0);
    await page.close();
  }, 60_000);

  it('reports that there is nothing to pay once the order is cancelled', async () => {
    const one = await owed();
    await world.admin.made(`/orders/${idIn(one.order)}/cancel`);
    const page = await open(one.url);
    await page.getByRole('heading', { name: 'There is nothing to pay here any more' }).waitFor();
    await page.close();
  }, 60_000);

  it('explains what to do without JavaScript', async () => {
    const one = await owed();
    const page = await open(one.url, { javaScriptEnabled: false });
    expect(await page.locator('noscript').innerText()).toContain('switch it on');
    expect(await page.locator('main').innerText()).toContain('€25.00');
    await page.close();
  }, 60_000);

  it("has the console's colour", async () => {
    const { url } = await owed();
    const console_ = readFileSync('apps/console/src/styles/base.css', 'utf8');
    const [, light] = /--accent-fill: light-dark\((#\w+)/.exec(console_)!;
    const page = await open(url, { colorScheme: 'light' });
    const shown = await page.evaluate(() => {
      const { document, getComputedStyle } = globalThis as any;
      return getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    });
    expect(shown).toBe(light);
    await page.close();
  });

  it('is readable in the dark', async () => {
    const one = await owed();
    const page = await open(one.url, { colorScheme: 'dark' });
    const ground = await page.evaluate(
      () => (globalThis as any).getComputedStyle((globalThis as any).document.body).backgroundColor,
    );
    expect(ground).toBe('rgb(11, 18, 30)');
    await page.close();
  }, 60_000);
});

describe('A link', () => {
  it("is in the event that requests authentication, and in an admin's replies", async () => {
    const one = await owed();
    const payment = one.order.payment.$oid as string;
    const told = (await shop.events(payment)).filter(({ kind }) => kind === 'payment.requires_auth');
    expect(told[0]!.object.pay_url).toContain('/pay/');
    expect((await world.admin.read(`/payments/${payment}`)).pay_url).toContain('/pay/');
    expect((await one.by.client.read(`/payments/${payment}`)).pay_url).toBeNull();
    expect((await one.by.client.read(`/orders/${idIn(one.order)}`)).pay_url).toBeNull();
    for (const { kind, object } of await shop.events(payment)) {
      if (kind !== 'payment.requires_auth') expect(object.pay_url).toBeNull();
    }
  });

  it('is good for seven days, for one payment and for nothing else', async () => {
    const [one, other] = [await owed(), await owed()];
    const token = new URL(one.url).pathname.split('/').at(-1)!;
    const get = (path: string): Promise<Response> => fetch(`${world.baseUrl}${path}`);
    const [header, claims, signature] = token.split('.') as [string, string, string];
    const foreign = new URL(other.url).pathname.split('/').at(-1)!.split('.')[1]!;
    expect((await get(`/pay/${header}.${foreign}.${signature}`)).status).toBe(404);
    expect((await get('/pay/nonsense')).status).toBe(404);
    const asUser = await world.anonymous.as(token).get('/orders');
    expect(asUser.status).toBe(401);
    const userToken = one.by.client.credentials.bearer!;
    expect((await get(`/pay/${userToken}`)).status).toBe(404);

    const { sub, company, exp, iat } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([sub, exp - iat]).toEqual([one.order.payment.$oid, 7 * 24 * 3600]);
    const old = await world.get(Tokens).issueFor('pay', { subject: sub, company }, -60);
    const expired = await get(`/pay/${old}`);
    expect([expired.status, await expired.text()]).toEqual([
      410,
      expect.stringContaining('This link has expired'),
    ]);
    const calls = await fetch(`${world.baseUrl}/pay/${old}/authentication`, { method: 'POST' });
    expect([calls.status, ((await calls.json()) as any).code]).toEqual([410, 'pay_link.expired']);
    expect(world.get(SystemClock).now().getTime()).toBeGreaterThan(0);
  });

  it('leads to a page that loads nothing from elsewhere and cannot be framed', async () => {
    const { url } = await owed();
    const answer = await fetch(url);
    const policy = answer.headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const page = await answer.text();
    expect(page).not.toContain('_secret_');
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });
});
