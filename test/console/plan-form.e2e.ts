import { idIn } from '@commerce/testing';
import type { Locator, Page } from 'playwright-core';

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

const shown = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' });

async function newPlan(options = {}): Promise<{ page: Page; dialog: Locator; preview: Locator }> {
  const page = await browser.signedIn(world, '/plans', options);
  await page.getByRole('button', { name: 'New plan' }).click();
  const dialog = page.getByRole('dialog', { name: 'New plan' });
  const preview = dialog.getByRole('region', { name: 'What it charges' });
  await preview.waitFor();
  return { page, dialog, preview };
}

/** The date and amount of each charge that the form says. */
async function said(preview: Locator): Promise<string[]> {
  const lines = await preview.getByRole('listitem').allTextContents();
  return lines.flatMap((line) => /^\w+ \d+, \d{4}: €[\d,]+\.\d\d/.exec(line) ?? []);
}

/** Those that the service says once the plan is there. */
async function charged(name: string): Promise<string[]> {
  const plans: any[] = await world.admin.read('/plans');
  const plan = idIn(plans.find((one) => one.name === name));
  const charges = await world.admin.made('/subscriptions/preview', { plan, count: 4 });
  return charges.map(
    ({ date, amount }: { date: { $date: number }; amount: number }) =>
      `${shown.format(date.$date)}: ${euros.format(amount)}`,
  );
}

/** The whole text that a list of records offers for a name. */
async function offered(dialog: Locator, name: string): Promise<string> {
  const option = dialog.locator(`datalist option[value^="${name}"]`).first();
  await option.waitFor({ state: 'attached' });
  return (await option.getAttribute('value')) ?? '';
}

type Fill = Readonly<Record<string, string | boolean>>;

const PLANS: readonly (readonly [string, Fill, string])[] = [
  [
    'by the month in advance, with a setup fee',
    { Price: '29.90', 'The price is for': 'MONTH', 'Paid in advance': true, 'Setup fee': '5' },
    '€29.90 every month, in advance',
  ],
  [
    'by the quarter afterwards, with a setup fee',
    { Price: '90', 'The price is for': 'MONTH', 'How many of them': '3', 'Setup fee': '12.5' },
    '€90.00 every 3 months, afterwards',
  ],
  [
    'by the week after a trial',
    { Price: '7', 'The price is for': 'WEEK', 'Paid in advance': true, 'Setup fee': '1', 'Free days': '14' },
    '€7.00 every week, in advance',
  ],
  [
    'by the year',
    { Price: '300', 'The price is for': 'ANNUAL', 'Paid in advance': true },
    '€300.00 every year, in advance',
  ],
];

describe('The form of a plan', () => {
  it.each(PLANS)(
    'says beside it what the service will charge: %s',
    async (name, values, price) => {
      const { page, dialog, preview } = await newPlan();
      await preview.getByText('the first charges appear here').waitFor();
      await dialog.getByLabel('Name', { exact: true }).fill(name);
      await dialog.getByLabel('Currency', { exact: true }).fill('EUR');
      for (const [label, value] of Object.entries(values)) {
        const field = dialog.getByLabel(new RegExp(`^${label}( \\(required\\))?$`));
        if (value === true) await field.check();
        else if (label === 'The price is for') await field.selectOption(String(value));
        else await field.fill(String(value));
      }
      await preview.getByText(price, { exact: true }).waitFor();
      const before = await said(preview);
      expect(before).toHaveLength(4);
      expect(await axeFindings(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(before).toEqual(await charged(name));
      await page.close();
    },
    SLOW,
  );

  it(
    'says the parts of a price that is collected in parts, by keyboard alone, on a phone',
    async () => {
      const { page, dialog, preview } = await newPlan({ viewport: { width: 390, height: 844 } });
      const type = async (label: string, text: string): Promise<void> => {
        await dialog.getByLabel(new RegExp(`^${label}( \\(required\\))?$`)).focus();
        await page.keyboard.type(text);
      };
      await type('Price', '1000');
      await page.keyboard.press('Tab');
      await page.keyboard.type('EUR');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Years');
      await dialog.getByText('More', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await type('Collected every', 'Months, from');
      await preview.getByText('€1,000.00 every year, collected every month, afterwards').waitFor();
      const lines = await said(preview);
      expect(lines.map((line) => line.split(': ')[1])).toEqual(['€83.33', '€83.34', '€83.33', '€83.33']);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      await page.close();
    },
    SLOW,
  );

  it(
    'adds up the items, times the quantity that a customer takes',
    async () => {
      const coffee = { name: 'Coffee of the house', price: 4.5, currency: 'EUR', active: true };
      const product = idIn(await world.admin.made('/products', coffee));
      const { page, dialog, preview } = await newPlan();
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      await dialog.getByLabel('Paid in advance').check();
      await dialog.getByLabel('Setup fee').fill('1');
      await dialog.getByRole('button', { name: 'Add one' }).click();
      await dialog.getByLabel(/^Product/).fill(product);
      await dialog.getByLabel(/^Quantity/).fill('2');
      await preview.getByText('€9.00 every month, in advance', { exact: true }).waitFor();
      await preview.getByLabel('If a customer takes').fill('3');
      await preview.getByText('3 × €9.00 every month, in advance', { exact: true }).waitFor();
      const body = { interval_unit: 'MONTH', prepay: true, setup_fee: 1, items: [{ product, quantity: 2 }] };
      const { charges } = await world.admin.made('/plans/preview', { ...body, quantity: 3, count: 4 });
      expect(charges.map(({ amount }: { amount: number }) => amount)).toEqual([28, 27, 27, 27]);
      const lines = await said(preview);
      expect(lines.map((line) => line.split(': ')[1])).toEqual(['€28.00', '€27.00', '€27.00', '€27.00']);
      await preview.getByText('€28.00, with the setup fee of €1.00').waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'shows a refusal at its field while the form is filled in, and none at a field that is still empty',
    async () => {
      const { page, dialog, preview } = await newPlan();
      const price = dialog.getByLabel('Price', { exact: true });
      await price.fill('2.675');
      await dialog.getByLabel('Currency', { exact: true }).fill('EUR');
      await preview.getByText('the first charges appear here').waitFor();
      expect(await dialog.getByText('Please fill this in.').count()).toBe(0);
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      await preview.getByText('When the marked fields are right').waitFor();
      await dialog.locator('input[aria-invalid="true"]').first().waitFor();
      expect(await price.getAttribute('aria-invalid')).toBe('true');
      expect(await axeFindings(page)).toEqual([]);
      await price.fill('2.67');
      await preview.getByText('€2.67 every month, afterwards', { exact: true }).waitFor();
      expect(await price.getAttribute('aria-invalid')).toBe('false');
      await page.close();
    },
    SLOW,
  );

  it(
    'refuses a name that is not in the list when its field is left or the form is sent, not while it is typed',
    async () => {
      await world.admin.made('/products', { name: 'Green tea', price: 7, currency: 'EUR' });
      const { page, dialog, preview } = await newPlan();
      const asked: (string | null)[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/plans/preview')) asked.push(request.postData());
      });
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      await dialog.getByRole('button', { name: 'Add one' }).click();
      const product = dialog.getByLabel(/^Product/);
      const refusal = dialog.getByText('Please choose one from the list.');
      // Slower than the form waits before it asks.
      await product.pressSequentially('Green', { delay: 500 });
      expect(await refusal.count()).toBe(0);
      expect(asked.filter((body) => body?.includes('"product"'))).toEqual([]);
      await page.keyboard.press('Tab');
      await refusal.waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await product.fill(await offered(dialog, 'Green tea'));
      await preview.getByText('€7.00 every month, afterwards', { exact: true }).waitFor();
      expect(await refusal.count()).toBe(0);
      await product.fill('Green');
      await page.keyboard.press('Enter');
      await dialog.getByText('One field needs your attention.').waitFor();
      await refusal.waitFor();
      await page.close();
    },
    SLOW,
  );

  it(
    'keeps the product of an item when the one above it is removed',
    async () => {
      const priced = { currency: 'EUR', active: true };
      await world.admin.made('/products', { name: 'White tea', price: 8, ...priced });
      await world.admin.made('/products', { name: 'Black tea', price: 6, ...priced });
      const { page, dialog, preview } = await newPlan();
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      for (const [index, name] of ['White tea', 'Black tea'].entries()) {
        await dialog.getByRole('button', { name: 'Add one' }).click();
        await dialog
          .getByLabel(/^Product/)
          .nth(index)
          .fill(await offered(dialog, name));
      }
      await preview.getByText('€14.00 every month, afterwards', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Remove' }).first().click();
      await preview.getByText('€6.00 every month, afterwards', { exact: true }).waitFor();
      expect(await dialog.getByLabel(/^Product/).inputValue()).toContain('Black tea');
      await page.close();
    },
    SLOW,
  );

  it(
    'shows a cleared quantity as empty until its field is left',
    async () => {
      const { page, dialog, preview } = await newPlan();
      await dialog.getByLabel('Price', { exact: true }).fill('9');
      await dialog.getByLabel('Currency', { exact: true }).fill('EUR');
      await dialog.getByLabel('The price is for (required)').selectOption('MONTH');
      await preview.getByText('€9.00 every month, afterwards', { exact: true }).waitFor();
      const quantity = preview.getByLabel('If a customer takes');
      await quantity.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Backspace');
      await page.keyboard.type('3');
      await preview.getByText('3 × €9.00 every month, afterwards', { exact: true }).waitFor();
      await quantity.fill('');
      await page.keyboard.press('Tab');
      expect(await quantity.inputValue()).toBe('1');
      await page.close();
    },
    SLOW,
  );

  it(
    'names the defaults of the service',
    async () => {
      const { page, dialog } = await newPlan();
      await dialog.getByText('More', { exact: true }).click();
      const select = dialog.getByLabel('If the first payment fails');
      expect(await select.locator('option:checked').textContent()).toBe('It goes on, and the amount is owed');
      expect(await dialog.getByLabel('What is owed joins the next charge').isChecked()).toBe(true);
      expect(await dialog.getByLabel('Tries after the first').getAttribute('placeholder')).toBe('4');
      expect(await dialog.getByLabel('Price', { exact: true }).getAttribute('placeholder')).toBe(
        'the sum of the items',
      );
      // Of the interface's own names, none is left.
      expect(await dialog.innerText()).not.toMatch(/\b[a-z]+_[a-z]+/);
      await page.close();
    },
    SLOW,
  );
});
