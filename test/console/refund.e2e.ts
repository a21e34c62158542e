import type { Page } from 'playwright-core';
import { eventually, idIn } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
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

/** A customer who paid 30.00 on 1 April, of which the balance paid `credit`; the explanation of that charge is open. */
async function paid(credit = 0): Promise<Paid> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  if (credit > 0) {
    await world.admin.made(`/users/${scenario.user}/credits`, { amount: credit, currency: 'EUR' });
  }
  const payment_method = await scenario.card();
  const id = await scenario.subscribed({ prepay: true }, { payment_method });
  await scenario.settled(id);
  return explained(scenario, id);
}

interface Paid {
  readonly scenario: Scenario;
  readonly payment: string;
  readonly page: Page;
}

/** The first payment of a subscription, with its explanation open. */
async function explained(scenario: Scenario, id: string, options = {}): Promise<Paid> {
  const [payment] = await scenario.payments(id);
  const page = await browser.signedIn(world, `/subscriptions/${id}`, options);
  await page
    .getByRole('table', { name: 'Charges' })
    .getByRole('button', { name: 'Explain', exact: true })
    .first()
    .click();
  return { scenario, payment: idIn(payment), page };
}

/** A stop on 16 April owes 15.00 of 30.00, as the card takes nothing back. */
async function owing(): Promise<{ scenario: Scenario; id: string }> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const payment_method = await scenario.card('refundRefused');
  const id = await scenario.subscribed({ prepay: true }, { payment_method });
  await scenario.until('2026-04-16');
  await scenario.does(id, 'stop');
  await scenario.until('2026-05-02');
  const [payment] = await scenario.payments(id);
  await eventually(
    () => world.admin.read(`/payments/${idIn(payment)}`),
    ({ owed_amount }) => owed_amount === 15,
  );
  return { scenario, id };
}

const refundsOf = async (payment: string): Promise<[number, string, string | null][]> => {
  const { refunds } = await world.admin.read(`/payments/${payment}`);
  return refunds.map(({ amount, to, reason }: { amount: number; to: string; reason: string | null }) => [
    amount,
    to,
    reason,
  ]);
};

describe('Refund', () => {
  it(
    'gives back a part to the card with its reason, after its amounts, by keyboard alone',
    async () => {
      const { scenario, payment, page } = await paid();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Refund…' }).focus();
      await page.keyboard.press('Enter');
      expect(await dialog.getByLabel('Amount').inputValue()).toBe('30.00');
      await dialog.getByText('€30.00 go back to the card.').waitFor();
      await dialog.getByText('Nothing of it stays paid.').waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('9.5');
      await dialog.getByText('€9.50 go back to the card.').waitFor();
      await dialog.getByText('€20.50 stay paid.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Goodwill');
      await page.keyboard.press('Enter');
      await dialog.getByText('€9.50 were given back.').waitFor();
      await dialog.getByText('-€9.50').waitFor();
      expect(await refundsOf(payment)).toEqual([[9.5, 'card', 'Goodwill']]);
      const { refunded } = await eventually(
        () => scenario.ledger(),
        (now) => now.refunded > 0,
      );
      expect(refunded).toBe(950);
      // The rest is what the next form offers.
      await dialog.getByRole('button', { name: 'Refund…' }).click();
      expect(await dialog.getByLabel('Amount').inputValue()).toBe('20.50');
      await page.close();
    },
    SLOW,
  );

  it(
    'gives back to the balance where that is chosen',
    async () => {
      const { scenario, payment, page } = await paid();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Refund…' }).click();
      await dialog.getByRole('combobox', { name: /^To/ }).selectOption('The balance of the customer');
      await dialog.getByText('€30.00 are added to the customer’s balance').waitFor();
      await dialog.getByRole('button', { name: 'Give back €30.00' }).click();
      await dialog.getByText('€30.00 were given back.').waitFor();
      expect(await refundsOf(payment)).toEqual([[30, 'balance', null]]);
      expect((await world.admin.read(`/users/${scenario.user}`)).balance).toEqual({ EUR: 30 });
      await dialog.getByRole('button', { name: 'Refund…' }).waitFor({ state: 'detached' });
      await page.close();
    },
    SLOW,
  );

  it(
    'says which part goes where if the balance paid a part, and refuses more than was paid',
    async () => {
      const { payment, page } = await paid(12);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Refund…' }).click();
      await dialog.getByText('€18.00 go back to the card.').waitFor();
      await dialog.getByText('€12.00 are added to the customer’s balance').waitFor();
      const amount = dialog.getByLabel('Amount');
      await amount.fill('30.01');
      expect(await amount.getAttribute('aria-invalid')).toBe('true');
      expect(await dialog.getByRole('button', { name: 'Refund…' }).isDisabled()).toBe(true);
      await amount.press('Enter');
      expect(await refundsOf(payment)).toEqual([]);
      await amount.fill('20');
      await dialog.getByText('€2.00 are added to the customer’s balance').waitFor();
      await dialog.getByRole('button', { name: 'Give back €20.00' }).click();
      await dialog.getByText('€20.00 were given back.').waitFor();
      expect(await refundsOf(payment)).toEqual([
        [18, 'card', null],
        [2, 'balance', null],
      ]);
      await page.close();
    },
    SLOW,
  );

  it(
    'takes the place of one that is owed, or is given beside it, as is chosen',
    async () => {
      const { scenario, id } = await owing();
      const { payment, page } = await explained(scenario, id);
      const dialog = page.getByRole('dialog');
      await dialog.getByText('€15.00 still owed').waitFor();
      await dialog.getByRole('button', { name: 'Refund…' }).click();
      const instead = dialog.getByRole('combobox', { name: /^In place of/ });
      expect(await instead.locator('option').allInnerTexts()).toEqual([
        '€15.00 owed since May 1, 2026: Stop',
        'Nothing that is owed: it is given beside it',
      ]);
      const amount = dialog.getByLabel('Amount');
      expect(await amount.inputValue()).toBe('15.00');
      await dialog.getByText('€15.00 stay paid.').waitFor();
      await dialog.getByRole('combobox', { name: /^To/ }).selectOption('The balance of the customer');
      await amount.fill('10');
      await dialog.getByText('€5.00 stay owed, and are tried again by themselves.').waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await instead.selectOption('');
      expect(await amount.inputValue()).toBe('15.00');
      await dialog.getByText('€15.00 stay owed, and are tried again by themselves.').waitFor();
      await dialog.getByText('Nothing of it stays paid.').waitFor();
      await instead.selectOption({ index: 0 });
      await dialog.getByRole('combobox', { name: /^To/ }).selectOption('The balance of the customer');
      await dialog.getByRole('button', { name: 'Give back €15.00' }).click();
      await dialog.getByText('€15.00 were given back.').waitFor();
      const { refunds, ...after } = await world.admin.read(`/payments/${payment}`);
      expect(after).toMatchObject({ owed_amount: 0, refunded_amount: 15 });
      expect(refunds.at(-1)).toMatchObject({ amount: 15, to: 'balance', instead_of: refunds[0].key });
      expect((await world.admin.read(`/users/${scenario.user}`)).balance).toEqual({ EUR: 15 });
      // The next one has nothing to take the place of.
      await dialog.getByRole('button', { name: 'Refund…' }).click();
      expect(await amount.inputValue()).toBe('15.00');
      expect(await instead.count()).toBe(0);
      await page.close();
    },
    SLOW,
  );
});
