import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { callProvider, idIn } from '@commerce/testing';

import {
  CUSTOMER,
  PRICE,
  PRODUCT,
  SUBSCRIPTION,
  listOf,
} from '../../apps/cli/src/stripe-import/stripe-examples.spec-data.js';
import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';
import { cli, json } from './command-line.js';

/** Commands start slowly on a busy machine. */
const PATIENCE = 240_000;

let world: World;
let scenario: Scenario;
let folder: string;
let customer: any;
let card: any;

async function stripe(path: string, fields: Record<string, string> = {}): Promise<any> {
  const headers = { authorization: `Bearer ${String(process.env['STRIPE_SECRET_KEY'])}` };
  return (await callProvider(world.sandbox.url, 'POST', path, fields, headers)).body;
}

const EUR = { ...PRICE, currency: 'eur', unit_amount: 1999 };
const broken = {
  ...SUBSCRIPTION,
  id: 'sub_invoiced',
  collection_method: 'send_invoice',
  // Later than any date that the clock reaches.
  current_period_end: Date.UTC(2027, 0, 31, 10, 30) / 1000,
};
const ended = { ...SUBSCRIPTION, id: 'sub_ended', status: 'canceled' };

beforeAll(async () => {
  world = await World.start();
  // In the middle of a period that began on the 31st.
  scenario = await Scenario.begin(world, '2026-02-10');
  folder = mkdtempSync(join(tmpdir(), 'stripe-import-'));
  customer = await stripe('/v1/customers', { email: CUSTOMER.email, name: CUSTOMER.name });
  card = await stripe('/v1/payment_methods/pm_card_visa/attach', { customer: customer.id });
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true });
});

/** The options for an export of the provider's objects and of its reference's examples. */
function exported(): string[] {
  const items = { data: [{ price: EUR, quantity: 2 }], has_more: false };
  const running = { ...SUBSCRIPTION, customer: customer.id, items, default_payment_method: card.id };
  const lists = [
    listOf(running, broken, ended),
    listOf(EUR),
    listOf(PRODUCT),
    listOf({ ...CUSTOMER, ...customer }, CUSTOMER),
  ];
  const file = join(folder, 'export.json');
  writeFileSync(file, lists.map((list) => JSON.stringify(list, null, 2)).join('\n'));
  return ['--company', world.company.toHexString(), '--file', file, '--test-clock', scenario.clock];
}

describe('import:stripe', () => {
  const left = { id: 'sub_invoiced', why: 'it is paid by invoice, not by card', left: true };

  it(
    'reports its effects and changes nothing in a dry run',
    async () => {
      expect(await json('import:stripe', ...exported(), '--dry-run')).toMatchObject({
        dry_run: true,
        users: { imported: 2, there: 0 },
        products: { imported: 1, there: 0 },
        plans: { imported: 1 },
        subscriptions: { imported: 1 },
        ended: 1,
        problems: [left],
      });
      expect(await world.admin.read('/subscriptions')).toEqual([]);
    },
    PATIENCE,
  );

  it(
    'continues a subscription at its next date, under its old anchor, and never before',
    async () => {
      const report = await json('import:stripe', ...exported());
      expect(report).toMatchObject({ subscriptions: { imported: 1 }, payment_methods: { imported: 1 } });
      // The second customer of the export has the email of the first.
      expect(report.problems).toEqual([expect.objectContaining({ id: CUSTOMER.id, left: false }), left]);
      const [subscription] = await world.admin.read('/subscriptions');
      expect(subscription).toMatchObject({
        status: 'ACTIVE',
        starting_date: { $date: Date.UTC(2026, 0, 31, 10, 30) },
        next_billing_date: { $date: Date.UTC(2026, 1, 28, 10, 30) },
        current_billing_date_period_start: { $date: Date.UTC(2026, 0, 31, 10, 30) },
        payments: [],
        quantity: 2,
        note: `Stripe ${SUBSCRIPTION.id}`,
      });
      const user = await world.admin.read(`/users/${String(subscription.user.$oid)}`);
      expect(user).toMatchObject({ name: CUSTOMER.name, external_reference: customer.id });
      const id = idIn(subscription);
      await scenario.until(Date.UTC(2026, 1, 28, 10, 29));
      expect(await scenario.bill(id)).toEqual([]);
      await scenario.until('2026-04-15');
      expect(await scenario.bill(id)).toEqual([
        ['2026-02-28T10:30', 39.98, 'SUCCEEDED'],
        ['2026-03-31T10:30', 39.98, 'SUCCEEDED'],
      ]);
    },
    PATIENCE,
  );

  it(
    'makes nothing twice',
    async () => {
      const { code, stdout } = await cli(['import:stripe', ...exported()]);
      expect([code, stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '))]).toEqual([
        0,
        [
          ' imported there already',
          'users 0 2',
          'products 0 1',
          'plans 0 0',
          'payment methods 0 0',
          'subscriptions 0 1',
          '',
          'Stripe what becomes of it why',
          'sub_invoiced left at Stripe it is paid by invoice, not by card',
          '',
          'Subscriptions that had ended: 1',
          '',
        ],
      ]);
      expect(await world.admin.read('/subscriptions')).toHaveLength(1);
    },
    PATIENCE,
  );

  const LONG = 'x'.repeat(300);
  const BAD_PRODUCT = { ...PRODUCT, id: 'prod_long', description: 'x'.repeat(100_001) };
  const BAD_PRICE = { ...EUR, id: 'price_long', product: BAD_PRODUCT.id };
  const BAD_CUSTOMER = { ...CUSTOMER, id: 'cus_long', name: LONG, email: 'long@example.com' };
  const DISCOUNTED = { ...CUSTOMER, id: 'cus_less', email: 'less@example.com', discount: { id: 'di_1' } };
  /** Subscriptions show it in dollars only. */
  const TWO = { ...PRICE, id: 'price_two' };
  const OPTIONS = { ...TWO, currency_options: { eur: { unit_amount: 1850 }, usd: { unit_amount: 2000 } } };
  const GOOD = { ...CUSTOMER, id: 'cus_after', email: 'after@example.com' };
  const later = { ...SUBSCRIPTION, current_period_end: Date.UTC(2027, 0, 31, 10, 30) / 1000 };
  const OTHER = { ...PRODUCT, id: 'prod_after' };
  const DEFAULT = { ...EUR, id: 'price_default', product: OTHER.id, unit_amount: 700 };
  const faulty = [
    { ...EUR, id: 'price_first', product: OTHER.id, unit_amount: 500 },
    DEFAULT,
    BAD_PRICE,
    { ...BAD_PRICE, id: 'price_shapeless', currency: undefined },
    OPTIONS,
    BAD_CUSTOMER,
    BAD_PRODUCT,
    DISCOUNTED,
    GOOD,
    { ...OTHER, default_price: DEFAULT.id },
    { ...later, id: 'sub_of_long', customer: BAD_CUSTOMER.id },
    { ...later, id: 'sub_shapeless', customer: GOOD.id, items: { data: [{ quantity: 1 }] } },
    { ...later, id: 'sub_formless', customer: GOOD.id, discounts: 7 },
    { ...CUSTOMER, id: 'cus_formless', email: null, tax_ids: 7 },
    { ...later, id: 'sub_after', customer: GOOD.id, items: { data: [{ price: BAD_PRICE, quantity: 1 }] } },
    { ...later, id: 'sub_discounted', customer: DISCOUNTED.id },
    { ...later, id: 'sub_option', customer: GOOD.id, currency: 'eur', items: { data: [{ price: TWO }] } },
  ];

  it.each([true, false])(
    'leaves each faulty object at Stripe, and imports the others (dry run: %s)',
    async (dry) => {
      const file = join(folder, 'faulty.json');
      writeFileSync(file, `\uFEFF${faulty.map((one) => JSON.stringify(one)).join('\n')}`);
      const options = [
        '--company',
        world.company.toHexString(),
        '--file',
        file,
        '--test-clock',
        scenario.clock,
      ];
      const report = await json('import:stripe', ...options, ...(dry ? ['--dry-run'] : []));
      expect(report).toMatchObject({
        users: { imported: 2, there: 0 },
        products: { imported: 1, there: 0 },
        plans: { imported: 2 },
        subscriptions: { imported: 2 },
      });
      const why = report.problems.map(({ id, why: text, left: stays }: any) => [id, text, stays]);
      expect(why).toEqual([
        ['price_shapeless', expect.stringContaining('see its currency'), true],
        [BAD_CUSTOMER.id, expect.stringContaining('name'), true],
        [BAD_PRODUCT.id, expect.stringContaining('description'), true],
        ['cus_formless', expect.stringContaining('one of its fields has another form'), true],
        ['sub_of_long', expect.stringContaining(BAD_CUSTOMER.id), true],
        ['sub_shapeless', expect.stringContaining('see its id, currency, unit_amount'), true],
        ['sub_formless', expect.stringContaining('one of its fields has another form'), true],
        ['sub_after', expect.stringContaining('no payment method'), false],
        ['sub_discounted', 'the coupon of its discount is not in the export', true],
        ['sub_option', expect.stringContaining('no payment method'), false],
      ]);
      const plans = await world.admin.read('/plans');
      const prices = plans.map(({ total_amount, currency, offered }: any) => [
        total_amount,
        currency,
        offered,
      ]);
      if (!dry) expect(prices).toContainEqual([18.5, 'EUR', false]);
      const products = await world.admin.read('/products');
      const after = products.filter(({ external_reference }: any) => external_reference === OTHER.id);
      expect(after.map(({ price }: any) => price)).toEqual(dry ? [] : [7]);
    },
    PATIENCE,
  );

  it(
    'refuses a file that lacks pages or holds nothing, in words',
    async () => {
      const file = join(folder, 'pages.json');
      const company = ['--company', world.company.toHexString(), '--file', file];
      writeFileSync(file, JSON.stringify({ ...listOf(CUSTOMER), url: '/v1/customers', has_more: true }));
      const lacking = await cli(['import:stripe', ...company]);
      expect([lacking.code, lacking.stderr]).toEqual([
        1,
        expect.stringContaining('its last list of /v1/customers says has_more'),
      ]);
      writeFileSync(file, '[]');
      const empty = await cli(['import:stripe', ...company, '--dry-run']);
      expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('it holds no customer')]);
    },
    PATIENCE,
  );
});
