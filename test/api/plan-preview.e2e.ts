import { idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
let coffee: string;

beforeAll(async () => {
  world = await World.start({ worker: false });
  coffee = idIn(await product({ name: 'Coffee', price: 4 }));
});
afterAll(() => world.stop());

function product(values: object): Promise<any> {
  return world.admin.made('/products', { name: 'Thing', price: 4, currency: 'EUR', ...values });
}

const MONTHLY = { name: 'Monthly', currency: 'EUR', interval_unit: 'MONTH', total_amount: 30 };
const DAY_MS = 86_400_000;
/** The dates of two previews, which no clock stops between them, to the second. */
const NEAR_MS = 60_000;

interface Charge {
  readonly date: { readonly $date: number };
  readonly amount: number;
  readonly kind: string;
  readonly breakdown: object;
}

const amounts = (charges: readonly Charge[]): [number, string][] =>
  charges.map(({ amount, kind }) => [amount, kind]);

describe('POST /plans/preview', () => {
  it.each<[string, object, readonly [number, string][]]>([
    [
      'in advance, with a setup fee',
      { ...MONTHLY, prepay: true, setup_fee: 5 },
      [
        [35, 'period'],
        [30, 'period'],
        [30, 'period'],
      ],
    ],
    [
      'in parts',
      { ...MONTHLY, interval_unit: 'ANNUAL', billing_interval: 'MONTH', total_amount: 1000 },
      [
        [83.33, 'period'],
        [83.34, 'period'],
        [83.33, 'period'],
      ],
    ],
    [
      'after a trial, with a setup fee',
      { ...MONTHLY, prepay: true, setup_fee: 5, trial_days: 14 },
      [
        [5, 'setup'],
        [30, 'period'],
        [30, 'period'],
      ],
    ],
    [
      'for days',
      { ...MONTHLY, interval_unit: 'DAY', interval_count: 10 },
      [
        [30, 'period'],
        [30, 'period'],
        [30, 'period'],
      ],
    ],
  ])('shows what a stored plan charges: %s', async (_case, body, expected) => {
    const before = await world.admin.read('/plans');
    const shown = await world.admin.made('/plans/preview', { ...body, count: 3 });
    expect(await world.admin.read('/plans')).toEqual(before);
    expect(amounts(shown.charges)).toEqual(expected);
    const plan = await world.admin.made('/plans', body);
    const terms = Object.keys(shown).filter((name) => name !== 'charges');
    expect(terms).toHaveLength(9);
    expect(terms.map((name) => shown[name])).toEqual(terms.map((name) => plan[name]));
    const charges: Charge[] = await world.admin.made('/subscriptions/preview', {
      plan: idIn(plan),
      count: 3,
    });
    expect(amounts(charges)).toEqual(amounts(shown.charges));
    charges.forEach(({ date: { $date } }, index) => {
      expect(Math.abs($date - shown.charges[index].date.$date)).toBeLessThan(NEAR_MS);
    });
  });

  it('shows the first charge after the days of a trial', async () => {
    // By the service's clock: the database's may be behind the one of the test.
    const begun = (await product({})).created.$date;
    const { charges } = await world.admin.made('/plans/preview', {
      ...MONTHLY,
      prepay: true,
      trial_days: 14,
      count: 1,
    });
    const after = charges[0].date.$date - begun - 14 * DAY_MS;
    expect(after).toBeGreaterThanOrEqual(0);
    expect(after).toBeLessThan(NEAR_MS);
  });

  it('adds up the items, and multiplies them by the quantity, but not the setup fee', async () => {
    const body = {
      interval_unit: 'MONTH',
      items: [{ product: coffee, quantity: 2, discount: 0.25 }],
      prepay: true,
      setup_fee: 1.5,
    };
    const shown = await world.admin.made('/plans/preview', { ...body, quantity: 3, count: 2 });
    expect(shown).toMatchObject({
      currency: 'EUR',
      total_amount: 6,
      charges: [
        { amount: 19.5, kind: 'period' },
        { amount: 18, kind: 'period' },
      ],
    });
    expect(shown.charges[1].breakdown.parts[0].priced_from.items[0]).toMatchObject({ product: coffee });
  });

  it('shows twelve charges unless told otherwise', async () => {
    expect((await world.admin.made('/plans/preview', MONTHLY)).charges).toHaveLength(12);
  });

  it.each<[string, object]>([
    ['no price', { total_amount: undefined }],
    ['an unknown unit of time', { interval_unit: 'YEAR' }],
    ['no unit of time', { interval_unit: undefined }],
    ['a currency that does not exist', { currency: 'ZZZ' }],
    ['an amount finer than the currency', { total_amount: 2.675 }],
    ['a setup fee finer than the currency', { currency: 'JPY', setup_fee: 100.5 }],
    ['a trial of more than two years', { trial_days: 731 }],
    ['an unknown product', { items: [{ product: 'f'.repeat(24) }] }],
    ['an item without a product', { items: [{ quantity: 1 }] }],
    ['an unknown field', { price: 1 }],
  ])('refuses as POST /plans does: %s', async (_case, values) => {
    const body = { ...MONTHLY, ...values };
    const [previewed, made] = await Promise.all(
      ['/plans/preview', '/plans'].map((path) => world.admin.post(path, body)),
    );
    expect(previewed!.status).toBe(422);
    expect(previewed!.body.errors).toEqual(made!.body.errors);
    expect(previewed!.body.errors).not.toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a quantity of nothing', { quantity: 0 }, 'quantity'],
    ['a quantity that makes the price too large', { total_amount: 1e9, quantity: 1_000_000 }, 'quantity'],
    ['more than 36 charges', { count: 37 }, 'count'],
  ])('refuses %s', async (_case, values, path) => {
    const { status, body } = await world.admin.post('/plans/preview', { ...MONTHLY, ...values });
    expect([status, body.errors.map((error: { path: string }) => error.path)]).toEqual([422, [path]]);
  });

  it('does not see products of other companies, and is closed to users', async () => {
    const { admin } = await world.stranger();
    const foreign = await admin.post('/plans/preview', { ...MONTHLY, items: [{ product: coffee }] });
    expect([foreign.status, foreign.body.errors[0].path]).toEqual([422, 'items.0.product']);
    const { client } = await world.user();
    expect((await client.post('/plans/preview', MONTHLY)).status).toBe(403);
  });
});
