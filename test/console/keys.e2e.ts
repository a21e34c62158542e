import { eventually, idIn } from '@commerce/testing';
import type { Page } from 'playwright-core';

import { World, type Merchant } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, waitForCount } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start({ worker: false });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const permissions = ['clipboard-read', 'clipboard-write'];

/** A separate company, and its page of keys. */
async function keysOf(merchant: Merchant): Promise<Page> {
  const page = await browser.signedIn(merchant, '/keys', { permissions });
  await page.getByRole('table', { name: 'Keys' }).waitFor();
  return page;
}

const statusOf = async ({ admin }: Merchant, key: string): Promise<number> =>
  (await admin.as(key).get('/users')).status;
const idOf = (text: string): string => text.split('_')[2]!;
const keyOf = (page: Page, id: string) =>
  page.getByRole('button', { name: new RegExp(`^[ps]k_test_…${id.slice(-8)}$`) });

/** The text of the newly created key, as its copy button copies it. */
async function copied(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const text = await dialog.getByLabel('The new key').inputValue();
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByText('Copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(text);
  return text;
}

async function closed(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  // By its tag: a dialog that is closed, but not yet removed, has no role.
  await page.locator('dialog.drawer').waitFor({ state: 'detached' });
}

describe('Keys', () => {
  it(
    'are made, and shown once',
    async () => {
      const merchant = await world.stranger();
      const page = await keysOf(merchant);
      await page.getByRole('button', { name: 'New key' }).click();
      const dialog = page.getByRole('dialog', { name: 'New key' });
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('needs your attention').waitFor();
      await dialog.getByLabel('Kind').selectOption('service');
      await dialog.getByRole('button', { name: 'Create' }).click();
      const text = await copied(page);
      expect(await axeFindings(page)).toEqual([]);
      expect(await statusOf(merchant, text)).toBe(200);
      await closed(page);
      expect(await page.content()).not.toContain(text);
      await keyOf(page, idOf(text)).waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'are revoked with all that they made, after the user has seen how many those are',
    async () => {
      const merchant = await world.stranger();
      const { admin } = merchant;
      const maker = await admin.made('/keys', { kind: 'service' });
      const child = await admin.as(maker.key).made('/keys', { kind: 'service' });
      const grandchild = await admin.as(child.key).made('/keys', { kind: 'api' });
      const page = await keysOf(merchant);
      await keyOf(page, idIn(maker)).click();
      const dialog = page.getByRole('dialog', { name: 'Service key' });
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByText('2 other keys end with it').waitFor();
      expect(await dialog.getByText('You are signed in').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Revoke all 3' }).click();
      await dialog.waitFor({ state: 'detached' });
      await waitForCount(page.getByRole('table').getByText('Revoked'), 3);
      expect((await admin.read(`/keys/${idIn(grandchild)}`)).revoked).not.toBeNull();
      await page.getByLabel('Kind').selectOption('api');
      await eventually(
        () => page.getByRole('table').getByRole('row').count(),
        (rows) => rows === 3,
      );
      await page.close();
    },
    SLOW,
  );

  it(
    'can be those of the session: the user is warned, and signed out',
    async () => {
      const merchant = await world.stranger();
      const page = await keysOf(merchant);
      await keyOf(page, idOf(merchant.serviceKey)).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await dialog.getByRole('alert').filter({ hasText: 'you will be signed out' }).waitFor();
      await dialog.getByRole('button', { name: 'Revoke it' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect((await merchant.admin.get('/users')).status).toBe(401);
      await page.close();
    },
    SLOW,
  );

  it(
    "are rolled, immediately or later; the session continues with its own key's successor",
    async () => {
      const merchant = await world.stranger();
      const page = await keysOf(merchant);
      const dialog = page.getByRole('dialog');
      await keyOf(page, idOf(merchant.apiKey)).click();
      await dialog.getByLabel('This key ends').selectOption({ label: 'in a day' });
      await dialog.getByRole('button', { name: 'Roll key' }).click();
      expect(await copied(page)).toMatch(/^pk_test_/);
      await closed(page);
      await page.getByRole('table').getByText('Rolled').waitFor();
      expect(await statusOf(merchant, merchant.serviceKey)).toBe(200);

      await keyOf(page, idOf(merchant.serviceKey)).click();
      await dialog.getByRole('button', { name: 'Roll key' }).click();
      const successor = await copied(page);
      await closed(page);
      await page.getByRole('table').getByText('Revoked').waitFor();
      await keyOf(page, idOf(successor)).waitFor();
      expect(await statusOf(merchant, merchant.serviceKey)).toBe(401);
      expect(await statusOf(merchant, successor)).toBe(200);
      await page.close();
    },
    SLOW,
  );
});
