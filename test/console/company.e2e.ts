import type { Page } from 'playwright-core';

import { World } from '../world.js';
import { axeFindings } from './axe.js';
import { ConsoleBrowser, SLOW, expectNoTrouble, goTo } from './console-page.js';

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

const at = (path: string, options = {}): Promise<Page> => browser.signedIn(world, path, options);
const PHONE = { viewport: { width: 390, height: 844 } };

describe('The company', () => {
  it(
    'gets a seller by keyboard, whose address and language are chosen by name; the list of invoices leads there',
    async () => {
      const page = await at('/invoices', PHONE);
      await page.getByRole('link', { name: 'Set up invoices' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Company' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole('button', { name: 'Set up invoices' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('VAT ID').fill('DE136695976');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.getByText('2 fields need your attention.').waitFor();
      await dialog.getByLabel('Legal name').fill('Teehaus GmbH');
      await dialog.getByLabel('Street and number').fill('Teestraße 1');
      await dialog.getByLabel('Postal code').fill('10115');
      await dialog.getByLabel('Town').fill('Berlin');
      await dialog.getByLabel('Country').selectOption({ label: 'Germany' });
      await dialog.getByLabel('Language').selectOption({ label: 'German' });
      await dialog.getByLabel('Beginning of the numbers').fill('R');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const seller = page.getByRole('region', { name: 'Seller on invoices' });
      await seller.getByText('Teestraße 1, 10115 Berlin, Germany').waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      expect(await world.admin.read('/company')).toMatchObject({
        seller: {
          ...{ name: 'Teehaus GmbH', vat_id: 'DE136695976', tax_number: null, locale: 'de' },
          address: { line1: 'Teestraße 1', line2: null, city: 'Berlin', country: 'DE' },
          invoice_prefix: 'R',
        },
      });
      await page.close();
    },
    SLOW,
  );

  it(
    'names the field that is wrong, and keeps what another way has set',
    async () => {
      const { seller } = await world.admin.read('/company');
      await world.admin.changed('/company', { seller: { ...seller, locale: 'de-AT' } });
      const page = await at('/company');
      const section = page.getByRole('region', { name: 'Seller on invoices' });
      await section.getByRole('button', { name: 'Change', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Beginning of the numbers').fill('rcn');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.getByText('One field needs your attention.').waitFor();
      await dialog.getByLabel('Beginning of the numbers').fill('R');
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await world.admin.read('/company')).toMatchObject({ seller: { ...seller, locale: 'de-AT' } });
      await world.admin.changed('/company', { seller });
      await page.close();
    },
    SLOW,
  );

  it(
    'says what its customers may do by themselves',
    async () => {
      const page = await at('/company', PHONE);
      const section = page.getByRole('region', { name: 'What customers may do' });
      await section.getByText('once for each plan').waitFor();
      await section.getByRole('button', { name: 'Change' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('They pause').press('Space');
      await dialog.getByLabel('They stop').selectOption({ label: 'At the end of a period only' });
      await dialog.getByLabel('Free days').selectOption({ label: 'Once for each customer' });
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await section.getByText('at the end of a period').waitFor();
      expect((await world.admin.read('/company')).customers).toMatchObject({
        ...{ subscribe: true, pause: false, change: 'any', stop: 'period_end' },
        ...{ templates: true, start: 'later', trials: 'once', may_owe: false },
      });
      await world.admin.changed('/company', { customers: {} });
      await page.close();
    },
    SLOW,
  );

  it(
    'has its VAT decided by the rules of the EU, and products that are reduced',
    async () => {
      const before = (await world.admin.read('/company')).tax;
      const page = await at('/company', PHONE);
      const section = page.getByRole('region', { name: 'VAT', exact: true });
      await section.getByText('those of the products').waitFor();
      await section.getByRole('button', { name: 'Change' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Rates', { exact: true }).selectOption({ label: 'By the rules of the EU' });
      await dialog.getByLabel('You declare the VAT of other countries').press('Space');
      await dialog.getByRole('button', { name: 'Add one' }).press('Enter');
      await dialog.getByLabel('Country').fill('DE');
      await dialog.getByLabel('Kind of product').selectOption({ label: 'Reduced' });
      await dialog.getByLabel('Rate (required)').fill('7');
      await dialog.getByLabel('From').fill('2021-01-01');
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Save' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await section.getByText('pay the rates of their countries').waitFor();
      expect((await world.admin.read('/company')).tax).toEqual({
        ...{ mode: 'eu', oss: true, small_business: false },
        rates: [{ country: 'DE', tax_category: 'reduced', rate: 0.07, from: '2021-01-01' }],
      });
      await goTo(page, 'Products');
      await page.getByRole('button', { name: 'New product' }).press('Enter');
      await dialog.getByLabel(/^Name/).fill('Rice');
      await dialog.getByLabel(/^Currency/).fill('EUR');
      await dialog.getByLabel(/^Price/).fill('3');
      await dialog.getByText('More', { exact: true }).press('Enter');
      await dialog.getByLabel('Kind of VAT').selectOption({ label: 'Reduced' });
      await dialog.getByRole('button', { name: 'Create' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const [rice] = await world.admin.read('/products/search', { query: 'Rice' });
      expect(rice).toMatchObject({ name: 'Rice', tax_category: 'reduced' });
      await world.admin.changed('/company', { tax: before });
      await page.close();
    },
    SLOW,
  );
});
