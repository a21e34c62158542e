import { getConnectionToken } from '@nestjs/mongoose';
import { newId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, waitForCount } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start({ env: { WEBHOOK_RETRY_DELAYS: '10ms' } });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

describe('The page of an endpoint', () => {
  it(
    'says since when it fails and what waits; Send again shows what came of it, by keyboard',
    async () => {
      const { receiver, id } = await world.listening('user.created');
      receiver.answers(500);
      await world.user();
      await eventually(
        () => world.admin.read(`/webhooks/${id}/deliveries`),
        ([first]: any[]) => first?.status === 'EXHAUSTED',
      );
      const page = await browser.signedIn(world, `/webhooks/${id}`);
      const state = page.getByRole('region', { name: 'State' });
      await state.getByText(/It has been failing since .* UTC \(.*\)\./).waitFor();
      await state.getByText('Last 24 hours: 2 attempts, 100 % failed.').first().waitFor();
      await state.getByText('By hour', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await state.getByRole('cell', { name: '2 (100 %)' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Open' }).focus();
      await page.keyboard.press('Enter');
      const drawer = page.getByRole('dialog', { name: 'user.created' });
      await drawer.getByRole('button', { name: 'Send again' }).focus();
      await page.keyboard.press('Enter');
      await drawer.getByText('The endpoint refused it: 500').waitFor();
      receiver.answers(204);
      await page.keyboard.press('Enter');
      await drawer.getByText('The endpoint accepted it: 204').waitFor();
      await waitForCount(drawer.getByRole('listitem'), 4);
      await page.keyboard.press('Escape');
      await state.getByText('It accepts what is sent.').waitFor();
      await page.context().close();
    },
    SLOW,
  );
});

describe('Verify and the test event', () => {
  it(
    'show what came of them, by keyboard',
    async () => {
      const receiver = await world.receiver();
      receiver.answers(500);
      const made = await world.admin.made('/webhooks', {
        event_type: 'user.updated',
        endpoint: receiver.url,
      });
      const page = await browser.signedIn(world, `/webhooks/${idIn(made)}`);
      await page.getByRole('button', { name: 'Verify' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The endpoint did not confirm').waitFor();
      receiver.answers(200);
      await page.keyboard.press('Enter');
      await page.getByText('The endpoint confirmed: it is sent events.').waitFor();
      expect(await world.admin.read(`/webhooks/${idIn(made)}`)).toMatchObject({ verified: true });
      receiver.answers(500);
      await page.getByRole('button', { name: 'Send a test event' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The endpoint refused it: 500').waitFor();
      expect(await page.getByText('The endpoint confirmed').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Verify' }).count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await page.context().close();
    },
    SLOW,
  );
});

describe('The list of webhooks', () => {
  it(
    'shows the share of failures by hour, with one request for all of them',
    async () => {
      const merchant = await world.stranger();
      const { admin } = merchant;
      const [good, bad] = [await world.receiver(), await world.receiver()];
      for (const { url } of [good, bad]) {
        await admin.made('/webhooks', { event_type: 'user.created', endpoint: url });
      }
      bad.answers(500);
      await admin.made('/users', { name: 'Ada' });
      await eventually(
        () => admin.read('/webhooks/health'),
        (all: any[]) => all.every(({ state }) => state !== 'idle'),
      );
      const page = await browser.signedIn(merchant);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await goTo(page, 'Webhooks');
      const failing = page.getByRole('row').filter({ hasText: bad.url });
      await failing.getByRole('img', { name: /^Last 24 hours: \d+ attempts?, 100 % failed/ }).waitFor();
      await failing.getByText('100 % failed').waitFor();
      await failing.getByText('Failing').waitFor();
      await page.getByRole('row').filter({ hasText: good.url }).getByText('0 % failed').waitFor();
      expect(asked.filter((path) => path.includes('webhooks/') && !path.includes('console'))).toEqual([
        '/webhooks/health',
      ]);
      expect(await axeFindings(page)).toEqual([]);
      await page.context().close();
    },
    SLOW,
  );
});

describe('The event log', () => {
  it(
    'follows what happens, pauses by keyboard, and is narrowed to a kind and to a record',
    async () => {
      const page = await browser.signedIn(world, '/events');
      const table = page.getByRole('table', { name: 'Events' });
      const first = idIn(await world.admin.made('/users', { name: 'Ada Lovelace' }));
      await table.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
      await world.admin.changed(`/users/${first}`, { name: 'Ada King' });
      // The newest comes first.
      await table.getByRole('row').nth(1).getByRole('link', { name: 'Ada King' }).waitFor();
      expect(await table.getByRole('row').nth(1).innerText()).toContain('User updated');
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Pause' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('Paused: nothing new appears.').waitFor();
      await world.admin.made('/users', { name: 'Grace Hopper' });
      await page.waitForTimeout(4000);
      expect(await table.getByRole('link', { name: 'Grace Hopper' }).count()).toBe(0);
      await page.keyboard.press('Enter');
      await table.getByRole('link', { name: 'Grace Hopper' }).waitFor();
      await page.getByLabel('Kind').selectOption('user.updated');
      await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
      await table.getByRole('link', { name: 'Ada King' }).waitFor();
      await page.getByLabel('Kind').selectOption('');
      await page.getByLabel('Id of a record').fill(first.slice(0, 5));
      await page.getByText('An id has 24 digits').waitFor();
      await page.getByLabel('Id of a record').fill(first);
      await eventually(
        () => table.getByRole('row').count(),
        (rows) => rows === 3,
        30_000,
      );
      expect(new URL(page.url()).searchParams.get('object')).toBe(first);
      await table.getByRole('button', { name: 'User updated' }).click();
      const drawer = page.getByRole('dialog', { name: 'User updated' });
      await drawer.getByLabel('Before').filter({ hasText: 'Ada Lovelace' }).waitFor();
      await page.context().close();
    },
    SLOW,
  );
});

describe('The work page', () => {
  it(
    'names the endpoint and the hold that work waits for, and says where it stops counting',
    async () => {
      const merchant = await world.stranger();
      const receiver = await world.receiver();
      const webhook = { event_type: 'user.created', endpoint: receiver.url };
      const id = idIn(await merchant.admin.made('/webhooks', webhook));
      // Without a worker they stay due.
      await world.worker?.close();
      const database = world.api.get<Connection>(getConnectionToken());
      const due = new Date(Date.now() - 120_000);
      const rows = Array.from({ length: 10_001 }, () => ({
        _id: newId(),
        company: merchant.company,
        webhook: new Types.ObjectId(id),
        event: newId(),
        status: 'PENDING',
        attempts: [],
        next_attempt: due,
        created: due,
      }));
      await database.collection('deliveries').insertMany(rows, { ordered: false });
      await database
        .collection<{ _id: string }>('billing_holds')
        .insertOne({ _id: 'billing', since: due } as any);
      const page = await browser.signedIn(merchant, '/work');
      await page.getByText('more than 10,000 due').waitFor();
      const causes = page.getByRole('region', { name: 'What it waits for' });
      await causes.getByText('1,000 deliveries wait for the endpoint').waitFor();
      await causes.getByText(/stopped all new charges 2 minutes ago/).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await causes.getByRole('link', { name: receiver.url }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('More than 10,000 deliveries wait.').waitFor();
      await goTo(page, 'Work');
      await page.context().close();
    },
    SLOW,
  );
});
