import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('an immediate stop, 30.00 in April, on 16 April at 00:00', () => {
  async function stopped(plan: object): Promise<{ scenario: Scenario; id: string }> {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.until('2025-04-16');
    expect(await scenario.does(id, 'stop')).toMatchObject({
      status: 'NON_RENEWING',
      active: false,
      prorate_amount: -15,
      ending_date: { $date: at('2025-04-16') },
      last_prorate_date: { $date: at('2025-04-16') },
    });
    return { scenario, id };
  }

  it('collects 15.00 on 1 May in arrears', async () => {
    const { scenario, id } = await stopped({});
    await scenario.until('2025-04-30');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING' });
    await scenario.until('2025-05-01');
    expect(await scenario.bill(id)).toEqual([['2025-05-01', 15, 'SUCCEEDED']]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED', active: false });
    await scenario.until('2025-08-01');
    expect(await scenario.payments(id)).toHaveLength(1);
    expect((await scenario.kinds(id)).filter((kind) => kind !== 'subscription.updated')).toEqual([
      'subscription.created',
      'subscription.activated',
      'subscription.non_renewing',
      'subscription.cancelled',
    ]);
  });

  it('refunds 15.00 on 1 May in advance', async () => {
    const { scenario, id } = await stopped({ prepay: true });
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, refunded: 0 });
    await scenario.until('2025-05-01');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED' });
    const [payment] = await scenario.payments(id);
    expect(payment).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 15 });
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, refunded: 1500 });
  });
});

describe('a stop in advance of an uncollected period', () => {
  it('refunds nothing', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const payment_method = await scenario.card();
    await scenario.bankAlways('insufficient_funds');
    const id = await scenario.subscribed({ prepay: true }, { payment_method });
    await scenario.settled(id);
    await scenario.until('2025-04-16');
    await scenario.does(id, 'stop');
    await scenario.until('2025-05-02');
    expect(await scenario.ledger()).toMatchObject({ captured: 0, refunded: 0 });
    const [payment] = await scenario.payments(id);
    expect(payment.refunds).toEqual([]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED' });
  });
});

describe('a stop at a date', () => {
  it('is served until then, and settled at the end of that period', async () => {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    await scenario.does(id, 'stop', { ending_date: at('2025-05-16') });
    await scenario.until('2025-05-15');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING', active: true });
    await scenario.until('2025-05-17');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'NON_RENEWING', active: false });
    await scenario.until('2025-07-01');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED' });
    // Of May's 31 days, 16 are unused: 30.00 less 15.48.
    expect(await scenario.bill(id)).toEqual([
      ['2025-05-01', 30, 'SUCCEEDED'],
      ['2025-06-01', 14.52, 'SUCCEEDED'],
    ]);
  });
});

describe('a subscription with a term', () => {
  it('is completed after three months from a 31st', async () => {
    const scenario = await Scenario.begin(world, '2025-01-31');
    const body = { payment_method: await scenario.card(), interval_total: 3 };
    const id = await scenario.subscribed({});
    await scenario.does(id, 'start', body);
    await scenario.until('2025-12-31');
    expect(await scenario.bill(id)).toEqual([
      ['2025-02-28', 30, 'SUCCEEDED'],
      ['2025-03-31', 30, 'SUCCEEDED'],
      ['2025-04-30', 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'COMPLETED',
      active: false,
      next_billing_date: null,
    });
    const last = (await scenario.events(id)).at(-1);
    expect([last?.kind, last?.created]).toEqual(['subscription.completed', at('2025-04-30')]);
  });

  it('is completed on its ending date; two days by the day are two charges', async () => {
    const scenario = await Scenario.begin(world, '2024-02-28');
    const id = await scenario.subscribed({ interval_unit: 'DAY', total_amount: 1 });
    await scenario.does(id, 'start', {
      payment_method: await scenario.card(),
      ending_date: at('2024-03-01'),
    });
    await scenario.until('2024-03-10');
    expect(await scenario.bill(id)).toEqual([
      ['2024-02-29', 1, 'SUCCEEDED'],
      ['2024-03-01', 1, 'SUCCEEDED'],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a start in the future', () => {
  it('becomes active when its date comes', async () => {
    const scenario = await Scenario.begin(world, '2025-01-10');
    const id = await scenario.subscribed({ prepay: true });
    await scenario.does(id, 'start', {
      payment_method: await scenario.card(),
      starting_date: at('2025-02-10'),
    });
    await scenario.until('2025-02-09');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'FUTURE', active: false, payments: [] });
    await scenario.until('2025-02-10');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', active: true });
    expect(await scenario.bill(id)).toEqual([['2025-02-10', 30, 'SUCCEEDED']]);
    expect((await scenario.kinds(id)).slice(0, 3)).toEqual([
      'subscription.created',
      'subscription.future',
      'subscription.activated',
    ]);
  });
});

describe('a trial', () => {
  const plan = { prepay: true, trial_days: 14 };

  it('ends with the first charge', async () => {
    const scenario = await Scenario.begin(world, '2025-03-01');
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      in_trial: true,
      trial_ending_date: { $date: at('2025-03-15') },
    });
    await scenario.until('2025-03-14');
    expect(await scenario.payments(id)).toEqual([]);
    await scenario.until('2025-04-15');
    expect(await scenario.bill(id)).toEqual([
      ['2025-03-15', 30, 'SUCCEEDED'],
      ['2025-04-15', 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ in_trial: false });
  });

  it('pauses when nobody has named a payer', async () => {
    const scenario = await Scenario.begin(world, '2025-03-01');
    const id = await scenario.subscribed(plan);
    await scenario.does(id, 'start');
    await scenario.until('2025-03-20');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'PAUSED', active: false, payments: [] });
    await scenario.does(id, 'start', { payment_method: await scenario.card() });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', active: true });
    expect((await scenario.ledger()).charges).toBe(1);
  });

  it('can be left at no charge', async () => {
    const scenario = await Scenario.begin(world, '2025-03-01');
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.until('2025-03-05');
    expect(await scenario.does(id, 'stop')).toMatchObject({ status: 'CANCELLED', active: false });
    await scenario.until('2025-06-01');
    expect(await scenario.payments(id)).toEqual([]);
  });
});

describe('a setup fee', () => {
  it('is due when the subscription is made with a payment method, once', async () => {
    const scenario = await Scenario.begin(world, '2025-03-01');
    const plan = await scenario.plan({ setup_fee: 10 });
    const body = { plan, user: scenario.user, payment_method: await scenario.card() };
    const id = (await world.admin.made('/subscriptions', body))._id.$oid;
    await scenario.settled(id);
    expect(await scenario.bill(id)).toEqual([['2025-03-01', 10, 'SUCCEEDED']]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CREATED' });
    await scenario.does(id, 'start');
    await scenario.until('2025-05-01');
    expect(await scenario.bill(id)).toEqual([
      ['2025-03-01', 10, 'SUCCEEDED'],
      ['2025-04-01', 30, 'SUCCEEDED'],
      ['2025-05-01', 30, 'SUCCEEDED'],
    ]);
  });
});
