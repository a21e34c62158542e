import { World } from '../world.js';
import { Scenario } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('an amount below the minimum of the card provider', () => {
  it.each([true, false])(
    'is not sent, is no failed period, and joins the next charge (auto_bill_amount %s)',
    async (auto_bill_amount) => {
      const scenario = await Scenario.begin(world, '2025-01-01');
      const plan = { total_amount: 0.3, prepay: true, auto_bill_amount, max_fail_attempts: 1 };
      const body = { plan: await scenario.plan(plan), user: scenario.user, count: 2 };
      const previewed = await world.admin.made('/subscriptions/preview', body);
      expect(previewed.map(({ amount }: any) => amount)).toEqual([0.6, 0.6]);

      const payment_method = await scenario.card();
      const id = await scenario.subscribed(plan, { payment_method });
      await scenario.settled(id);
      expect(await scenario.subscription(id)).toMatchObject({
        status: 'ACTIVE',
        failed_attempts: 0,
        outstanding_amount: 0.3,
      });
      await scenario.until('2025-02-01');
      expect(await scenario.bill(id)).toEqual([
        ['2025-01-01', 0.3, 'FAILED'],
        ['2025-02-01', 0.6, 'SUCCEEDED'],
      ]);
      // By the same rules, the forecast adds 0.30 to the next period and charges 0.60 every second month.
      const forecast = await world.admin.read('/forecast', { months: 4, test_clock: scenario.clock });
      expect(forecast.amounts.map(({ month, amount }: any) => [month, amount])).toEqual([['2025-04', 0.6]]);
      const [first] = await scenario.payments(id);
      expect(first.attempts).toMatchObject([{ number: 1, status: 'FAILED', code: 'amount.below_minimum' }]);
      expect(await scenario.ledger()).toMatchObject({ charges: 1, captured: 60 });
      expect(await scenario.subscription(id)).toMatchObject({
        outstanding_amount: 0,
        collection_state: 'OK',
      });
    },
  );

  it('is requested alone when other debts wait to be collected by hand', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    const plan = { total_amount: 30, prepay: true, auto_bill_amount: false, should_retry_payments: false };
    await scenario.bank('insufficient_funds');
    const id = await scenario.subscribed(plan, { payment_method });
    await scenario.until('2025-02-01');
    expect(await scenario.bill(id)).toEqual([
      ['2025-01-01', 30, 'FAILED'],
      ['2025-02-01', 30, 'SUCCEEDED'],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ outstanding_amount: 30 });
  });

  it.each([true, false])(
    'that only the provider knows is no failed period either, and joins the next charge (auto_bill_amount %s)',
    async (auto_bill_amount) => {
      const scenario = await Scenario.begin(world, '2025-01-01');
      const payment_method = await scenario.card();
      await scenario.minimum(5000);
      const plan = { total_amount: 30, prepay: true, auto_bill_amount, max_fail_attempts: 1 };
      const id = await scenario.subscribed(plan, { payment_method });
      await scenario.settled(id);
      expect(await scenario.subscription(id)).toMatchObject({
        status: 'ACTIVE',
        failed_attempts: 0,
        outstanding_amount: 30,
      });
      await scenario.until('2025-02-01');
      expect(await scenario.bill(id)).toEqual([
        ['2025-01-01', 30, 'FAILED'],
        ['2025-02-01', 60, 'SUCCEEDED'],
      ]);
      const [first] = await scenario.payments(id);
      expect(first.attempts).toMatchObject([{ number: 1, status: 'FAILED', code: 'amount.below_minimum' }]);
      expect(await scenario.ledger()).toMatchObject({ charges: 1, captured: 6000 });
      expect(await scenario.subscription(id)).toMatchObject({
        outstanding_amount: 0,
        collection_state: 'OK',
      });
    },
  );

  it('that rises between two attempts ends the payment, and its intent takes no money any more', async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const payment_method = await scenario.card();
    await scenario.bank('insufficient_funds');
    const plan = { total_amount: 30, prepay: true, should_retry_payments: true, max_fail_attempts: 1 };
    const id = await scenario.subscribed(plan, { payment_method });
    await scenario.settled(id);
    await scenario.minimum(5000);
    await scenario.until('2025-01-31');
    const [payment] = await scenario.payments(id);
    expect(payment.status).toBe('FAILED');
    expect(payment.attempts.map(({ code }: any) => code)).toEqual([
      'insufficient_funds',
      'amount.below_minimum',
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', failed_attempts: 0 });
    await scenario.intentIs(payment, 'canceled');
    await scenario.until('2025-02-01');
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-02-01', 60, 'SUCCEEDED']);
  });

  it("names its purpose in the intent's metadata", async () => {
    const scenario = await Scenario.begin(world, '2025-01-01');
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.settled(id);
    const [payment] = await scenario.payments(id);
    const answer = await fetch(
      `${world.sandbox.url}/v1/payment_intents/${String(payment.metadata.payment_intent_id)}`,
      { headers: { authorization: `Bearer ${String(process.env['STRIPE_SECRET_KEY'])}` } },
    );
    const { metadata } = (await answer.json()) as { metadata: object };
    expect(metadata).toEqual({
      company: world.company.toHexString(),
      payment: payment._id.$oid,
      attempt: '1',
      subscription: id,
      kind: 'period',
      period_key: '0',
    });
  });
});

describe('a currency that is counted in fifths', () => {
  it.each(['MGA', 'MRU'])('is refused: %s', async (currency) => {
    const bodies: [string, object][] = [
      ['/plans', { name: 'Plan', interval_unit: 'MONTH', total_amount: 30, currency }],
      ['/products', { name: 'Tea', price: 10, currency }],
      ['/coupons', { name: 'Five', amount_off: 5, currency }],
    ];
    for (const [path, body] of bodies) {
      const { status, body: problem } = await world.admin.post(path, body);
      expect([status, problem.errors[0]]).toMatchObject([
        422,
        { path: 'currency', code: 'currency.unsupported' },
      ]);
    }
  });
});
