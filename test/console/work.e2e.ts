import { getConnectionToken } from '@nestjs/mongoose';
import { idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble } from './console-page.js';

let world: World;
let browser: ConsoleBrowser;
let coupon: string;

beforeAll(async () => {
  world = await World.start();
  coupon = idIn(await world.admin.made('/coupons', { name: 'Welcome', percent_off: 0.1 }));
  browser = await ConsoleBrowser.start(world.baseUrl);
}, 120_000);
afterAll(async () => {
  await browser.stop();
  await world.stop();
});
expectNoTrouble(() => browser);

async function used(used_count: number): Promise<void> {
  const rows = world.api.get<Connection>(getConnectionToken()).collection('coupons');
  await rows.updateOne({ _id: new Types.ObjectId(coupon) }, { $set: { used_count } });
}

describe('A checkup', () => {
  it(
    'can be requested, and reports each fault, its place and its repair',
    async () => {
      await used(9);
      const page = await browser.signedIn(world, '/work');
      const doctor = page.getByRole('region', { name: 'Doctor' });
      await doctor.getByText('Never checked yet.').waitFor();
      await doctor.getByRole('button', { name: 'Check now' }).click();
      await doctor.getByText(/^Checked .*\. Records looked at: \d+\. 1 finding\.$/).waitFor();
      await doctor
        .getByText(`npm run cli -- doctor --company ${world.company.toHexString()} --fix`)
        .waitFor();
      const table = doctor.getByRole('table', { name: 'Findings' });
      await table.getByText('used_count is 9, 0 paid orders used it').waitFor();
      await table.getByText('by the command').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await table.getByRole('link', { name: coupon }).click();
      await page.getByRole('dialog').getByLabel('name').first().waitFor();
      await page.keyboard.press('Escape');
      await used(0);
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Work' }).click();
      await doctor.getByText(/1 finding\.$/).waitFor();
      await doctor.getByRole('button', { name: 'Check now' }).click();
      await doctor.getByText(/Nothing is wrong\.$/).waitFor();
      await page.close();
    },
    SLOW,
  );
});

describe('The queues', () => {
  it(
    'are shown beside the due work',
    async () => {
      const page = await browser.signedIn(world, '/work');
      const queues = page.getByRole('region', { name: 'Queues' });
      await queues.getByRole('row', { name: /^Billing .* Running/ }).waitFor();
      await page.close();
    },
    SLOW,
  );
});
