import { idIn } from '@commerce/testing';

import { World, type Merchant } from '../world.js';

let world: World;
let coffee: string;

beforeAll(async () => {
  world = await World.start({ worker: false });
  coffee = idIn(await product({ name: 'Coffee' }));
});
afterAll(() => world.stop());

function product(values: object = {}, by: Merchant = world): Promise<any> {
  return by.admin.made('/products', { name: 'Thing', price: 4, currency: 'EUR', ...values });
}

const MONTHLY = { name: 'Monthly', currency: 'EUR', interval_unit: 'MONTH', total_amount: 30 };
const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('POST /plans', () => {
  it('replies with the whole record, in the order of the interface', async () => {
    const { status, body } = await world.admin.post('/plans', {
      name: 'Coffee',
      interval_unit: 'MONTH',
      items: [{ product: coffee, quantity: 2 }],
    });
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      ...['_id', 'company', '_cls', 'method', 'name', 'human_id', 'note', 'currency', 'interval_unit'],
      ...[
        'interval_count',
        'billing_interval',
        'billing_interval_count',
        'items',
        'units',
        'total_amount',
        'total_amount_computed',
        ...['vat', 'tax_category'],
        'prepay',
      ],
      ...['initial_fail_amount_action', 'max_fail_attempts', 'setup_fee', 'is_prorated'],
      ...['should_retry_payments', 'max_payment_retries', 'retry_payment_in_minutes', 'static'],
      ...['auto_bill_amount', 'trial_days', 'offered', 'created', 'warnings', 'deleted', 'updated'],
    ]);
    expect(body).toMatchObject({
      _cls: 'Plan',
      method: 'basic',
      human_id: expect.stringMatching(/^[2-9A-HJKMNP-Z]{6}$/),
      currency: 'EUR',
      interval_count: 1,
      billing_interval: 'MONTH',
      billing_interval_count: 1,
      items: [{ product: { $oid: coffee }, quantity: 2, discount: 0, sub_products: [] }],
      units: 2,
      total_amount: 8,
      total_amount_computed: true,
      prepay: false,
      initial_fail_amount_action: 'CONTINUE',
      max_fail_attempts: null,
      setup_fee: 0,
      is_prorated: true,
      should_retry_payments: false,
      max_payment_retries: 4,
      retry_payment_in_minutes: 720,
      static: false,
      auto_bill_amount: true,
      trial_days: 0,
      offered: true,
      ...{ vat: null, tax_category: null, warnings: [] },
      deleted: false,
    });
  });

  it.each([
    ['once per interval', { interval_count: 3 }, ['MONTH', 3]],
    ['every unit that is named', { interval_count: 3, billing_interval: 'MONTH' }, ['MONTH', 1]],
    ['every so many of the unit', { interval_count: 6, billing_interval_count: 2 }, ['MONTH', 2]],
    ['by another interval', { billing_interval: 'WEEK', billing_interval_count: 2 }, ['WEEK', 2]],
  ])('collects the money %s', async (_case, values, [billing_interval, billing_interval_count]) => {
    expect(await world.admin.made('/plans', { ...MONTHLY, ...values })).toMatchObject({
      interval_count: 1,
      ...values,
      billing_interval,
      billing_interval_count,
    });
  });

  it.each([0, 61, 1.5])('refuses an interval of %d units', async (count) => {
    for (const field of ['interval_count', 'billing_interval_count']) {
      const { status, body } = await world.admin.post('/plans', { ...MONTHLY, [field]: count });
      expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([422, [field]]);
    }
  });

  it('takes enum values in upper and lower case and keeps them in upper', async () => {
    const plan = await world.admin.made('/plans', {
      ...MONTHLY,
      interval_unit: 'month_end',
      billing_interval: 'Week',
      initial_fail_amount_action: 'cancel',
    });
    expect(plan).toMatchObject({
      interval_unit: 'MONTH_END',
      billing_interval: 'WEEK',
      initial_fail_amount_action: 'CANCEL',
    });
  });

  it('prefers the total amount that is given to the sum of the items', async () => {
    const plan = await world.admin.made('/plans', { ...MONTHLY, items: [{ product: coffee }] });
    expect(plan).toMatchObject({ total_amount: 30, total_amount_computed: false, units: 1 });
  });

  it('adds up fractions of a quantity as they are written', async () => {
    const items = [0.1, 0.2].map((quantity) => ({ product: coffee, quantity }));
    expect(await world.admin.made('/plans', { ...MONTHLY, items })).toMatchObject({ units: 0.3 });
  });

  it.each([
    ['an unknown field', { human_id: 'AAAAAA' }, 'human_id'],
    ['no interval unit', { interval_unit: undefined }, 'interval_unit'],
    ['an unknown interval unit', { interval_unit: 'YEAR' }, 'interval_unit'],
    ['a currency that does not exist', { currency: 'ZZZ' }, 'currency'],
    ['a currency that is no money', { currency: 'XAU' }, 'currency'],
    ['no amount and no items', { total_amount: undefined }, 'total_amount'],
    ['an amount finer than the currency', { total_amount: 2.675 }, 'total_amount'],
    ['a setup fee finer than the currency', { currency: 'JPY', setup_fee: 100.5 }, 'setup_fee'],
    ['a setup fee below 0', { setup_fee: -1 }, 'setup_fee'],
    ['an amount as text', { total_amount: '30' }, 'total_amount'],
    ['a step that card providers do not take', { currency: 'BHD', total_amount: 1.005 }, 'total_amount'],
    ['an unknown action', { initial_fail_amount_action: 'IGNORE' }, 'initial_fail_amount_action'],
    ['a wait of nothing', { retry_payment_in_minutes: 0 }, 'retry_payment_in_minutes'],
    ['half a retry', { max_payment_retries: 1.5 }, 'max_payment_retries'],
    ['a trial of more than two years', { trial_days: 731 }, 'trial_days'],
    ['an item without a product', { items: [{ quantity: 1 }] }, 'items.0.product'],
    ['a discount above 1', { items: [{ product: 'x', discount: 1.5 }] }, 'items.0.discount'],
    ['a flag as text', { prepay: 'true' }, 'prepay'],
  ])('refuses %s', async (_case, values, path) => {
    const { status, body } = await world.admin.post('/plans', { ...MONTHLY, ...values });
    expect(status).toBe(422);
    expect(paths(body)).toContain(path);
  });

  it('names the item whose product is unknown, foreign or of another currency', async () => {
    const foreign = idIn(await product({}, await world.stranger()));
    const yen = idIn(await product({ currency: 'JPY' }));
    const items = [coffee, 'f'.repeat(24), foreign, yen].map((id) => ({ product: id }));
    const { status, body } = await world.admin.post('/plans', { ...MONTHLY, items });
    expect(status).toBe(422);
    expect(paths(body)).toEqual(['items.1.product', 'items.2.product', 'items.3.product']);
    const unknown = body.errors.slice(0, 2).map((error: { code: string }) => error.code);
    expect(unknown).toEqual(['product.unknown', 'product.unknown']);
  });

  it('takes as sub-products of an item only those of its product', async () => {
    const milk = idIn(await product({ name: 'Milk', price: 1, main_product: false }));
    const other = idIn(await product({ name: 'Other', main_product: false }));
    const latte = idIn(await product({ name: 'Latte', price: 3, sub_products: [milk] }));
    const wrong = await world.admin.post('/plans', {
      ...MONTHLY,
      items: [{ product: latte, sub_products: [milk, other] }],
    });
    expect(wrong.status).toBe(422);
    expect(paths(wrong.body)).toEqual(['items.0.sub_products.1']);
    const plan = await world.admin.made('/plans', {
      interval_unit: 'MONTH',
      items: [{ product: latte, quantity: 2, discount: 0.5, sub_products: [milk] }],
    });
    expect(plan).toMatchObject({ currency: 'EUR', total_amount: 4 });
  });

  it('is closed to users', async () => {
    const { client } = await world.user();
    expect((await client.post('/plans', MONTHLY)).status).toBe(403);
    expect((await client.get('/plans')).status).toBe(403);
  });
});

describe('GET /plans/<plan_id>', () => {
  it('shows the plan as it was made', async () => {
    const made = await world.admin.made('/plans', MONTHLY);
    expect(await world.admin.read(`/plans/${idIn(made)}`)).toEqual(made);
  });

  it('shows the sum at the current prices, and at the frozen ones when the plan is static', async () => {
    const tea = idIn(await product({ price: 10 }));
    const items = [{ product: tea, quantity: 3 }];
    const moving = await world.admin.made('/plans', { interval_unit: 'MONTH', items });
    const frozen = await world.admin.made('/plans', { interval_unit: 'MONTH', items, static: true });
    await world.admin.put(`/products/${tea}`, { price: 20 });
    expect(await world.admin.read(`/plans/${idIn(moving)}`)).toMatchObject({ total_amount: 60 });
    expect(await world.admin.read(`/plans/${idIn(frozen)}`)).toMatchObject({ total_amount: 30 });
  });

  it('does not know plans of other companies', async () => {
    const made = await world.admin.made('/plans', MONTHLY);
    const { admin } = await world.stranger();
    expect((await admin.get(`/plans/${idIn(made)}`)).status).toBe(404);
    expect((await admin.put(`/plans/${idIn(made)}`, { name: 'Mine' })).status).toBe(404);
    expect((await admin.delete(`/plans/${idIn(made)}`)).status).toBe(404);
    expect((await admin.get('/plans')).body).toEqual([]);
  });
});

describe('GET /plans', () => {
  it('lists in pages, the newest first, without the deleted', async () => {
    const { admin } = await world.stranger();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push(idIn(await admin.made('/plans', { ...MONTHLY, name })));
    await admin.delete(`/plans/${String(ids[1])}`);
    const { body, headers } = await admin.get('/plans', { size: 1, total: true });
    expect(body.map(idIn)).toEqual([ids[2]]);
    expect(headers['x-total-count']).toBe('2');
    const oldest = await admin.read('/plans', { sort: 'created' });
    expect(oldest.map((plan: { name: string }) => plan.name)).toEqual(['a', 'c']);
    for (const sort of ['name', 'total_amount']) {
      expect((await admin.get('/plans', { sort })).status).toBe(422);
    }
  });
});

describe('PUT /plans/<plan_id>', () => {
  it('changes the name and the note, and nothing that affects the price', async () => {
    const made = await world.admin.made('/plans', MONTHLY);
    const { body } = await world.admin.put(`/plans/${idIn(made)}`, { name: 'New', note: 'Better' });
    expect(body).toEqual({ ...made, name: 'New', note: 'Better', updated: body.updated });
    const refused = await world.admin.put(`/plans/${idIn(made)}`, { total_amount: 1 });
    expect(refused.status).toBe(422);
    expect(paths(refused.body)).toEqual(['total_amount']);
  });
});

describe('DELETE /plans/<plan_id>', () => {
  it('marks the plan as deleted; from then on it is read-only', async () => {
    const id = idIn(await world.admin.made('/plans', MONTHLY));
    expect((await world.admin.delete(`/plans/${id}`)).body).toMatchObject({ deleted: true });
    expect(await world.admin.read(`/plans/${id}`)).toMatchObject({ deleted: true });
    expect((await world.admin.put(`/plans/${id}`, { name: 'New' })).status).toBe(404);
    expect((await world.admin.delete(`/plans/${id}`)).status).toBe(404);
  });
});
