import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;

beforeAll(async () => {
  world = await World.start();
  const address = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
  await world.admin.changed('/company', {
    seller: { name: 'Teehaus GmbH', address, vat_id: 'DE136695976' },
  });
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 300_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

describe('The list of plans', () => {
  it(
    'shows a plan whose VAT nobody has said, until it is typed, 0 included',
    async () => {
      const page = await browser.signedIn(world, '/plans');
      await page.getByRole('button', { name: 'New plan' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name', { exact: true }).fill('Box');
      await dialog.getByLabel('Price', { exact: true }).fill('30');
      await dialog.getByLabel('Currency', { exact: true }).fill('EUR');
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      await dialog.getByRole('button', { name: 'Create' }).click();
      const row = page.getByRole('row', { name: /Box/ });
      await row.getByText('Not said: invoices wait').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      for (const [typed, shown] of [
        ['0', '0 %'],
        ['19', '19 %'],
      ] as const) {
        await page.getByRole('button', { name: 'Box', exact: true }).click();
        await dialog.getByLabel('VAT', { exact: true }).fill(typed);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await row.getByRole('cell', { name: shown, exact: true }).waitFor();
      }
      expect((await world.admin.read('/plans'))[0].vat).toBe(0.19);
      await page.close();
    },
    SLOW,
  );
});
