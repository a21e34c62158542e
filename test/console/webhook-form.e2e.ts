import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

describe('The form of a webhook', () => {
  it(
    'takes several kinds of events, by keyboard alone',
    async () => {
      const { url } = await world.receiver();
      const page = await browser.signedIn(world, '/webhooks');
      await page.getByRole('button', { name: 'New webhook' }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'New webhook' });
      await dialog.getByLabel('Event type').waitFor();
      const kinds = dialog.getByRole('group', { name: 'Several kinds of events' });
      for (const kind of ['payment.succeeded', 'order.created', 'payment.failed']) {
        await kinds.getByRole('checkbox', { name: kind }).focus();
        await page.keyboard.press('Space');
      }
      // Taken back.
      await page.keyboard.press('Space');
      await dialog.getByLabel('Endpoint').focus();
      await page.keyboard.type(`${url}/several`);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const [webhook] = await world.admin.read('/webhooks');
      expect(webhook).toMatchObject({ event_type: null, kinds: ['order.created', 'payment.succeeded'] });
      await page.close();
    },
    SLOW,
  );
});
