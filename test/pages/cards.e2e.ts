import { Companies, Tokens } from '@commerce/identity';
import { idIn } from '@commerce/testing';
import type { Browser, Page } from 'playwright-core';

import { axeFindings } from '../console/axe.js';
import { World } from '../world.js';
import { openBrowser } from './browser.js';

let world: World;
let browser: Browser;
const problems: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start({ worker: false }), openBrowser()]);
  await world.get(Companies).update(world.company, { name: 'Leaf & Kettle' });
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});
afterEach(() => expect(problems.splice(0)).toEqual([]));

/** A payment method without a card, and the page's address on this run's API. */
async function empty(): Promise<{ user: string; id: string; url: string }> {
  const { id: user } = await world.user();
  const made = await world.admin.made('/payment_methods', { payment_method: 'stripe', user });
  expect(made.setup_url).toContain('/cards/');
  return { user, id: idIn(made), url: world.baseUrl + new URL(made.setup_url).pathname };
}

async function open(url: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && message.text().includes('Content Security Policy'))
      problems.push(message.text());
  });
  await page.goto(url);
  return page;
}

async function called(
  url: string,
  method: string,
  body: object = {},
): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${url}/card`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
}

describe('The page on which a customer saves a card', () => {
  it('saves it, charges nothing, and shows afterwards that it is saved', async () => {
    const { id, url, user } = await empty();
    const page = await open(url);
    expect(await page.title()).toBe('Save a card · Leaf & Kettle');
    await page.getByText('Nothing is charged now.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    const card = page.locator('#card-element');
    await card.locator('iframe, input, select').first().waitFor();
    await page.getByRole('button', { name: 'Save the card' }).press('Enter');
    await page.getByRole('heading', { name: 'The card is saved' }).waitFor();
    const saved = await world.admin.read(`/payment_methods/${id}`);
    expect(saved).toMatchObject({ status: 'ACTIVE', default: true, user: { $oid: user }, setup_url: null });
    expect(await world.admin.read('/payments', { user })).toEqual([]);
    const entries = await world.admin.read<any[]>('/audit', { record: id });
    expect(entries[0]).toMatchObject({ actor: 'user', credential: user, action: 'updated' });
    expect(await called(url, 'POST')).toMatchObject({
      status: 409,
      body: { code: 'payment_method.state_conflict' },
    });
    await page.close();
  }, 90_000);

  it('takes a card for its own payment method only, of its own customer', async () => {
    const [mine, other] = [await empty(), await empty()];
    const body = { payment_method: other.id, payment_method_id: 'pm_card_visa' };
    expect(await called(mine.url, 'PUT', body)).toMatchObject({
      ...{ status: 422, body: { errors: [{ path: 'payment_method', code: 'payment_method.unknown' }] } },
    });
    for (const { id } of [mine, other])
      expect(await world.admin.read(`/payment_methods/${id}`)).toMatchObject({ status: 'CREATED' });
    const opened = await called(mine.url, 'POST');
    expect(opened.body).toEqual({ payment_method: mine.id, client_secret: expect.stringContaining('seti_') });
  });

  it('is not for users, lists, deleted payment methods, other links or after its time', async () => {
    const { id, url, user } = await empty();
    const [listed] = await world.admin.read<any[]>('/payment_methods', { user });
    expect(listed).toMatchObject({ setup_url: null, setup_intent: null });
    const { client } = await world.user();
    const own = await client.made('/payment_methods', { payment_method: 'stripe' });
    expect(own.setup_url).toBeNull();
    const tokens = world.get(Tokens);
    const claims = { subject: id, company: world.company.toHexString() };
    const paying = await tokens.issueFor('pay', claims, 60);
    const over = await tokens.issueFor('card', claims, -3600);
    const { company } = await world.stranger();
    const foreign = await tokens.issueFor('card', { ...claims, company: company.toHexString() }, 60);
    const statusOf = async (token: string): Promise<number> =>
      (await fetch(`${world.baseUrl}/cards/${token}`)).status;
    expect([
      await statusOf(paying),
      await statusOf(over),
      await statusOf(foreign),
      await statusOf('x'),
    ]).toEqual([404, 410, 404, 404]);
    await world.admin.delete(`/payment_methods/${id}`);
    expect((await fetch(url)).status).toBe(404);
    expect((await called(url, 'POST')).status).toBe(404);
  });
});
