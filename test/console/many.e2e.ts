import { getConnectionToken } from '@nestjs/mongoose';
import { idAt } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { ConsoleBrowser } from './console-page.js';

const MANY = 100_000;
const BATCH = 5000;
const SLOW = 300_000;

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start({ worker: false });
  const shop = new Shop(world);
  const by = await shop.buyer();
  const plan = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true };
  const body = { plan: idIn(await world.admin.made('/plans', plan)), user: by.id };
  await world.admin.made('/subscriptions', body);
  await multiply(world.api.get<Connection>(getConnectionToken()));
  // Right after so many inserts, a busy database may need longer than the deadline of a list: the console would ask again.
  await eventually(
    () => world.admin.get('/subscriptions', { size: 50, sort: '-_id' }),
    ({ status }) => status === 200,
    60_000,
  );
  browser = await ConsoleBrowser.start(world.baseUrl);
}, SLOW);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});

/** Copies the one subscription, as if each had been made a second before the last. */
async function multiply(database: Connection): Promise<void> {
  const subscriptions = database.collection('subscriptions');
  const one = (await subscriptions.findOne({}))!;
  const first = (one['created'] as Date).getTime();
  for (let made = 1; made < MANY; made += BATCH) {
    const copies = Array.from({ length: Math.min(BATCH, MANY - made) }, (_, index) => {
      const number = made + index;
      const created = new Date(first - number * 1000);
      const human_id = number.toString(36).toUpperCase().padStart(6, '0');
      return { ...one, _id: idAt(created), human_id, created };
    });
    await subscriptions.insertMany(copies, { ordered: false });
  }
}

describe('A list of 100,000 subscriptions', () => {
  it(
    'shows its first page immediately, loads pages on scrolling, and keeps few rows in the document',
    async () => {
      const asked: string[] = [];
      const page = await browser.signedIn(world, '/subscriptions');
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (pathname === '/subscriptions') asked.push(search);
      });
      // The console repeats a request that a busy database refuses: the two count as one.
      page.on('response', (response) => {
        const at = asked.indexOf(new URL(response.url()).search);
        if (response.status() === 503 && at >= 0) asked.splice(at, 1);
      });
      await page.getByRole('table', { name: 'Subscriptions' }).waitFor();
      // Measures the gaps between frames, which users feel as lag.
      await page.evaluate(`
        globalThis.gaps = [];
        let before = performance.now();
        const measure = (at) => { gaps.push(at - before); before = at; requestAnimationFrame(measure); };
        requestAnimationFrame(measure);
      `);
      for (let turn = 0; turn < 120; turn += 1) {
        await page.mouse.wheel(0, 900);
        await page.waitForTimeout(25);
      }
      await page.waitForTimeout(1000);
      const last = await page.locator('tbody tr[aria-rowindex]').last().getAttribute('aria-rowindex');
      expect(Number(last)).toBeGreaterThan(200);
      expect(asked.length).toBeGreaterThan(3);
      expect(asked.every((search) => search.includes('size=50'))).toBe(true);
      // The first page may have been requested after listening began.
      expect(asked.filter((search) => !search.includes('after=')).length).toBeLessThanOrEqual(1);
      expect(new Set(asked).size).toBe(asked.length);
      expect(await page.locator('tbody tr').count()).toBeLessThan(80);
      const gaps = (await page.evaluate<number[]>('gaps')).sort((a, b) => a - b);
      // Half of all frames arrive in time even when tests share the machine.
      expect(gaps[Math.floor(gaps.length / 2)]).toBeLessThan(50);
      expect(browser.troubles).toEqual([]);
      await page.close();
    },
    SLOW,
  );
});
