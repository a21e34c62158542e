import { idIn } from '@commerce/testing';

import { World } from '../world.js';
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

describe('A list of records in a form', () => {
  it(
    'is chosen by name, by keyboard alone, and shows the names again',
    async () => {
      const product = { currency: 'EUR', price: 10 };
      const lamp = idIn(await world.admin.made('/products', { name: 'Lamp', ...product }));
      const shade = idIn(await world.admin.made('/products', { name: 'Shade', ...product }));
      const page = await browser.signedIn(world, '/coupons');
      await page.getByRole('button', { name: 'New coupon' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Light');
      await dialog.getByLabel('Percent off').fill('10');
      const field = dialog.getByLabel('Only for products');
      await field.focus();
      await page.keyboard.type('lamp');
      await page.keyboard.press('Enter');
      await dialog.getByRole('listitem').filter({ hasText: 'Lamp' }).waitFor();
      await page.keyboard.type('sha');
      await page.keyboard.press('Enter');
      await dialog.getByRole('listitem').filter({ hasText: 'Shade' }).waitFor();
      await dialog.getByRole('button', { name: /^Remove Shade/ }).focus();
      await page.keyboard.press('Enter');
      await waitForCount(dialog.getByRole('listitem'), 1);
      await field.fill(shade);
      await field.press('Enter');
      await waitForCount(dialog.getByRole('listitem'), 2);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('button', { name: 'Light' }).click();
      await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Shade' }).waitFor();
      const [coupon] = await world.admin.read('/coupons');
      expect(coupon.products).toEqual([{ $oid: lamp }, { $oid: shade }]);
      await page.close();
    },
    SLOW,
  );
});
