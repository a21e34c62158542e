import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { World } from '../world.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, signIn } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

const BUILT = 'dist/console';

describe('GET /console', () => {
  it(
    'runs only its own files, and is not framed',
    async () => {
      const answer = await fetch(`${world.baseUrl}/console/`);
      const policy = answer.headers.get('content-security-policy')!;
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
      ]) {
        expect(policy).toContain(rule);
      }
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const page = await answer.text();
      expect(page).not.toMatch(/<script(?![^>]*\bsrc=)|<style|https?:/);
    },
    SLOW,
  );

  it(
    'keeps files whose names hold a digest for a year, and sends them compressed',
    async () => {
      const page = await (await fetch(`${world.baseUrl}/console`)).text();
      const [, script] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page)!;
      const answer = await fetch(world.baseUrl + script!, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe('br');
      const plain = await fetch(world.baseUrl + script!, { headers: { 'accept-encoding': 'identity' } });
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(await plain.text()).toBe(await answer.text());
    },
    SLOW,
  );

  it(
    'shows its page at every address, but no missing file',
    async () => {
      expect((await fetch(`${world.baseUrl}/console/subscriptions/1`)).headers.get('content-type')).toContain(
        'html',
      );
      expect((await fetch(`${world.baseUrl}/console/assets/none.js`)).status).toBe(404);
      expect(
        (await fetch(`${world.baseUrl}/console/..%2f..%2fpackage.json`)).headers.get('content-type'),
      ).toContain('html');
      expect((await fetch(`${world.baseUrl}/console/`, { method: 'POST' })).status).toBe(404);
    },
    SLOW,
  );

  it(
    'loads less than 120 KiB at first, and less than 400 in all',
    () => {
      const names = readdirSync(join(BUILT, 'assets')).filter((name) => /\.(js|css)$/.test(name));
      const sizes = names.map((name) => gzipSync(readFileSync(join(BUILT, 'assets', name))).length);
      const page = readFileSync(join(BUILT, 'index.html'), 'utf8');
      const first = names.filter((name) => page.includes(name));
      const firstSize = first.reduce((sum, name) => sum + (sizes[names.indexOf(name)] ?? 0), 0);
      expect(first.length).toBeGreaterThan(1);
      expect(firstSize).toBeLessThan(120 * 1024);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400 * 1024);
    },
    SLOW,
  );
});

describe('Signing in', () => {
  it(
    'takes both keys, names the company, and forgets them on reload',
    async () => {
      const page = await browser.signedIn(world);
      await page.getByText('Test', { exact: true }).waitFor();
      await goTo(page, 'Subscriptions');
      expect(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]')).toEqual([
        0,
        0,
        '',
      ]);
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await signIn(page, world.apiKey, world.serviceKey);
      await page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    },
    SLOW,
  );

  it(
    'refuses keys that are wrong, of another company, or of a customer',
    async () => {
      const page = await browser.open();
      const alert = page.getByRole('alert');
      await signIn(page, world.apiKey, 'sk_test_nonsense');
      await alert.filter({ hasText: 'not accepted' }).waitFor();
      await signIn(page, world.apiKey, (await world.stranger()).serviceKey);
      await alert.filter({ hasText: 'not accepted' }).waitFor();
      const { client } = await world.user();
      await signIn(page, world.apiKey, client.credentials.bearer!);
      await alert.filter({ hasText: 'may not administer' }).waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
    },
    SLOW,
  );

  it(
    'works by keyboard alone',
    async () => {
      const page = await browser.open();
      await page.getByLabel('API key').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type(world.apiKey);
      await page.keyboard.press('Tab');
      await page.keyboard.type(world.serviceKey);
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Pages' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
    },
    SLOW,
  );
});

describe('An unreachable service', () => {
  it(
    'is reported, and polled until it is back',
    async () => {
      const page = await browser.signedIn(world, '/plans');
      await page.getByText('There is no plan yet.').waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Products' }).click();
      await page.getByRole('alert').filter({ hasText: 'The service does not answer.' }).first().waitFor();
      await page.context().setOffline(false);
      await page.getByText('There is no product yet.').waitFor();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    },
    SLOW,
  );

  it(
    'is reported at sign-in, too',
    async () => {
      const page = await browser.open();
      await page.context().setOffline(true);
      await signIn(page, world.apiKey, world.serviceKey);
      await page.getByRole('alert').filter({ hasText: 'The service does not answer.' }).waitFor();
    },
    SLOW,
  );
});
