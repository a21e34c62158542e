import { idIn } from '@commerce/testing';
import type { Browser } from 'playwright-core';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { openBrowser } from './browser.js';

let world: World;
let browser: Browser;

beforeAll(async () => {
  [world, browser] = await Promise.all([World.start(), openBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser.close();
  await world.stop();
});

describe('/docs', () => {
  it('does not scroll sideways on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${world.baseUrl}/docs`);
    const tags = page.locator('.opblock-tag');
    await tags.first().waitFor();
    const width = (): Promise<number> =>
      page.evaluate(() => (globalThis as any).document.documentElement.scrollWidth);
    expect(await width()).toBe(390);
    const routes = page.locator('.opblock-summary-control');
    for (const index of [0, 1, 8]) {
      await routes.nth(index).click();
      await page.locator('.opblock.is-open .responses-wrapper').last().waitFor();
      expect([index, await width()]).toEqual([index, 390]);
    }
    await page.close();
  }, 60_000);

  it('shows examples that make a product which can be sold', async () => {
    const document: any = await (await fetch(`${world.baseUrl}/docs-json`)).json();
    const [body] = document.components.schemas.CreateProductBody.examples;
    const shop = new Shop(world);
    const buyer = await shop.buyer();
    const product = idIn(await world.admin.made('/products', body));
    const order = await world.admin.made('/orders', {
      ...{ user: buyer.id, payment_method: buyer.card, items: [{ product, quantity: 1 }] },
    });
    expect(order).toMatchObject({ status: 'PAID', amount: 19.99 });
  });
});
