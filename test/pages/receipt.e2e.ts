import { eventually, idIn } from '@commerce/testing';
import type { Browser, Page } from 'playwright-core';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { axeFindings } from '../console/axe.js';
import { Shop } from '../shop.js';
import { World } from '../world.js';
import { openBrowser } from './browser.js';

const SELLER = { name: 'Leaf & Kettle Ltd', address: { line1: 'Tea Street 1', country: 'IE' } };
const DUE = 'Your invoice is being made.';

let world: World;
let shop: Shop;
let browser: Browser;
const problems: string[] = [];

beforeAll(async () => {
  // Without a worker, no invoice is numbered.
  [world, browser] = await Promise.all([World.start({ worker: false }), openBrowser()]);
  shop = new Shop(world);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});
afterEach(() => expect(problems.splice(0)).toEqual([]));

interface Paid {
  readonly payment: string;
  /** The page of its payment. */
  readonly url: string;
}

/** An order whose customer was sent a link, and paid with another card. */
async function paid(): Promise<Paid> {
  const by = await shop.buyer('authenticationRequired');
  const items = [{ product: await shop.product({ price: 12.5 }) }];
  const order = await world.admin.made('/orders', { items, user: by.id, payment_method: by.card });
  const url = world.baseUrl + new URL(order.pay_url).pathname;
  expect((await fetch(`${url}/invoice.pdf`)).status).toBe(404);
  const payment_method = idIn(await shop.card(by.client));
  await by.client.made(`/orders/${idIn(order)}/pay`, { payment_method });
  return { payment: order.payment.$oid, url };
}

async function open(url: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) problems.push(message.text());
  });
  await page.goto(url);
  await page.getByRole('heading', { name: 'Paid. Thank you!' }).waitFor();
  return page;
}

const stateOf = async (url: string): Promise<unknown> => (await fetch(`${url}/invoice`)).json();

/** Reads documents through the API, with the keys of the company. */
async function ownPdf(id: string): Promise<Buffer> {
  const headers = { 'x-service-api-key': world.apiKey, authorization: `Bearer ${world.serviceKey}` };
  return bytesOf(await fetch(`${world.baseUrl}/invoices/${id}.pdf`, { headers }));
}

async function bytesOf(reply: Response): Promise<Buffer> {
  return Buffer.from(await reply.arrayBuffer());
}

describe('The invoice on the page of a payment', () => {
  it('is none for a company without a seller', async () => {
    const { url } = await paid();
    const page = await open(url);
    expect(await page.getByText(DUE).count()).toBe(0);
    expect(await page.getByRole('link').count()).toBe(0);
    expect(await stateOf(url)).toEqual({ state: 'none' });
    expect((await fetch(`${url}/invoice.pdf`)).status).toBe(404);
    await page.close();
  }, 60_000);

  it('appears once it is numbered; the link is the credential, for this payment alone', async () => {
    await world.admin.changed('/company', { seller: SELLER });
    const one = await paid();
    const still = await open(one.url, { javaScriptEnabled: false });
    await still.getByText(DUE).waitFor();
    expect(await still.getByRole('link').count()).toBe(0);
    expect(await stateOf(one.url)).toEqual({ state: 'due' });
    expect((await fetch(`${one.url}/invoice.pdf`)).status).toBe(404);

    const page = await open(one.url);
    await page.getByText(DUE).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    const worker = await createWorker();
    startWorker(worker);
    const link = page.getByRole('link', { name: 'Download the invoice (PDF)' });
    await link.waitFor();
    await worker.close();
    expect(await page.getByText(DUE).isVisible()).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    expect(await link.getAttribute('href')).toBe(`${new URL(one.url).pathname}/invoice.pdf`);

    const [invoice] = await world.admin.read<any[]>('/invoices', { payment: one.payment });
    const file = await fetch(`${one.url}/invoice.pdf`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(file.headers.get('content-disposition')).toBe(`inline; filename="${String(invoice.number)}.pdf"`);
    expect((await bytesOf(file)).equals(await ownPdf(idIn(invoice)))).toBe(true);
    expect((await fetch(`${one.url}x/invoice.pdf`)).status).toBe(404);
    const again = await open(one.url, { javaScriptEnabled: false });
    await again.getByRole('link', { name: 'Download the invoice (PDF)' }).waitFor();
    expect(await again.getByText(DUE).count()).toBe(0);
    await page.close();
  }, 90_000);

  it('stands above the credit notes of what was given back, the newest first', async () => {
    const one = await paid();
    const other = await paid();
    const worker = await createWorker();
    startWorker(worker);
    for (const amount of [2.5, 4]) {
      const count = (await world.admin.read<any[]>('/invoices', { payment: one.payment })).length;
      await world.admin.made(`/payments/${one.payment}/refunds`, { amount });
      await eventually(
        () => world.admin.read<any[]>('/invoices', { payment: one.payment }),
        (found) => found.length > Math.max(1, count),
        30_000,
      );
    }
    await worker.close();
    const notes = await world.admin.read<any[]>('/invoices', { payment: one.payment, kind: 'credit_note' });
    expect(notes.map(({ gross }) => gross)).toEqual([4, 2.5]);

    const page = await open(one.url, { javaScriptEnabled: false });
    await page.getByRole('link', { name: 'Download the invoice (PDF)' }).waitFor();
    const items = page.getByRole('list', { name: 'Given back to you' }).getByRole('listitem');
    const texts = (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts).toEqual([
      `Credit note ${String(notes[0].number)} (PDF) €4.00`,
      `Credit note ${String(notes[1].number)} (PDF) €2.50`,
    ]);
    expect(await page.getByRole('listitem').getByRole('link').first().getAttribute('href')).toBe(
      `${new URL(one.url).pathname}/credit_notes/${idIn(notes[0])}.pdf`,
    );
    await page.close();
    const styled = await open(one.url);
    expect(await axeFindings(styled)).toEqual([]);
    await styled.close();

    const file = await fetch(`${one.url}/credit_notes/${idIn(notes[0])}.pdf`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect((await bytesOf(file)).equals(await ownPdf(idIn(notes[0])))).toBe(true);
    // The link of another payment does not lead to them.
    expect((await fetch(`${other.url}/credit_notes/${idIn(notes[0])}.pdf`)).status).toBe(404);
    expect((await fetch(`${one.url}/credit_notes/none.pdf`)).status).toBe(404);
  }, 120_000);
});
