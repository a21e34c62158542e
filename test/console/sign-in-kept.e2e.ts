import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo, signIn } from './console-page.js';

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

const STORED = '[localStorage.length, sessionStorage.length, document.cookie]';

describe('Signing in over a reload', () => {
  it(
    'is chosen by keyboard, said on the page, kept in the session storage of the tab, and ended by signing out',
    async () => {
      const page = await browser.open();
      await page.getByText('The keys stay in the memory of this tab.').waitFor();
      await page.getByLabel('API key').focus();
      await page.keyboard.type(world.apiKey);
      await page.keyboard.press('Tab');
      await page.keyboard.type(world.serviceKey);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Space');
      await page.getByText('written to the session storage of this tab').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await goTo(page, 'Plans');
      expect(await page.evaluate(STORED)).toEqual([0, 1, '']);
      await page.reload();
      await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
      // Another tab knows nothing of them.
      const other = await page.context().newPage();
      await other.goto(`${world.baseUrl}/console/`);
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate(STORED)).toEqual([0, 0, '']);
      await page.reload();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.context().close();
    },
    SLOW,
  );
});

describe('Keys in the wrong field', () => {
  it(
    'are exchanged where both are, and named at their field where one is',
    async () => {
      const page = await browser.open('/plans');
      await signIn(page, world.serviceKey, world.serviceKey);
      const wrong = page.getByText('This is a service key: it belongs in the other field.');
      await wrong.waitFor();
      expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Service key').getAttribute('aria-invalid')).toBe('false');
      await signIn(page, world.apiKey, world.apiKey);
      await page.getByText('This is an API key: it belongs in the other field.').waitFor();
      expect(await wrong.count()).toBe(0);
      await signIn(page, world.apiKey, world.serviceKey.replace('sk_test_', 'sk_live_'));
      await page.getByText('Both must be of one kind.').waitFor();
      await signIn(page, world.serviceKey, world.apiKey);
      await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor();
      await page.context().close();
    },
    SLOW,
  );
});
