import { parseId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
});
afterAll(() => world.stop());

let codes = 0;

async function coupon(values: object = {}): Promise<{ id: string; code: string }> {
  codes += 1;
  const code = `CODE${String(codes)}`;
  const made = await world.admin.made('/coupons', {
    code,
    percent_off: 0.1,
    starting_date: at('2026-01-01'),
    ...values,
  });
  return { id: idIn(made), code };
}

const used = async ({ id }: { id: string }): Promise<number> =>
  (await world.admin.read(`/coupons/${id}`)).used_count;

describe('a coupon on a subscription', () => {
  it('lowers each interval for as long as it lasts, and is counted once', async () => {
    const customer = await scenario.another();
    const repeating = await coupon({ duration: 'REPEATING', duration_in_intervals: 2 });
    const plan = await customer.plan({ prepay: true, setup_fee: 5 });
    const body = { plan, user: customer.user, coupon: repeating.code };
    const charges = await world.admin.made('/subscriptions/preview', { ...body, count: 3 });
    expect(charges.map(({ amount }: any) => amount)).toEqual([32, 27, 30]);
    const made = await world.admin.made('/subscriptions', {
      ...body,
      payment_method: await customer.card(),
      start_now: true,
    });
    const id = idIn(made);
    expect(made.coupon).toBe(repeating.code);
    await customer.until('2026-06-01');
    expect((await customer.bill(id)).map(([, amount]) => amount)).toEqual([32, 27, 30]);
    expect(await used(repeating)).toBe(1);
    const [first] = await customer.payments(id);
    const { lines, matches } = await world.admin.read(`/payments/${idIn(first)}/explanation`);
    expect(matches ?? true).toBe(true);
    expect(JSON.stringify(lines)).toContain('27.00 EUR instead of 30.00 EUR per month: 2 in all');
  });

  it('comes with the first start or a change, and ends from the next interval on', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const forever = await coupon({ duration: 'FOREVER', percent_off: 0.5 });
    const id = await customer.subscribed({ prepay: true });
    await customer.does(id, 'start', { payment_method: await customer.card(), coupon: forever.code });
    await customer.settled(id);
    const other = await coupon({ percent_off: null, amount_off: 6, currency: 'EUR' });
    const changed = await world.admin.made(`/subscriptions/${id}/change`, {
      quantity: 2,
      coupon: other.code,
    });
    expect(changed).toMatchObject({ quantity: 2, coupon: other.code });
    await customer.until('2026-05-01');
    expect((await customer.bill(id)).map(([, amount]) => amount)).toEqual([15, 39, 60]);
    expect([await used(forever), await used(other)]).toEqual([1, 1]);
    const again = await world.admin.post(`/subscriptions/${id}/change`, { coupon: forever.code });
    expect([again.status, again.body.code]).toEqual([422, 'coupon.already_redeemed']);
    const late = await coupon({ duration: 'FOREVER', percent_off: 0.5 });
    await world.admin.made(`/subscriptions/${id}/change`, { coupon: late.code, at: 'period_end' });
    await customer.until('2026-06-01');
    expect((await world.admin.delete(`/subscriptions/${id}/coupon`)).status).toBe(200);
    await customer.until('2026-07-01');
    expect((await customer.bill(id)).map(([, amount]) => amount)).toEqual([15, 39, 60, 30, 60]);
  });

  it('is refused by its rules, naming the field', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const plan = await customer.plan({ prepay: true });
    const refused = async (values: object): Promise<unknown[]> => {
      const { code } = await coupon(values);
      const { status, body } = await world.admin.post('/subscriptions', {
        plan,
        user: customer.user,
        coupon: code,
      });
      return [status, body.code, body.errors?.[0]?.path];
    };
    expect(await refused({ plans: [await customer.plan()] })).toEqual([
      422,
      'coupon.not_for_this_plan',
      'coupon',
    ]);
    expect(await refused({ starting_date: at('2026-05-01') })).toEqual([422, 'coupon.not_started', 'coupon']);
    expect(await refused({ percent_off: null, amount_off: 5, currency: 'USD' })).toEqual([
      422,
      'coupon.currency_differs',
      'coupon',
    ]);
    const unknown = await world.admin.post('/subscriptions', { plan, user: customer.user, coupon: 'NONE' });
    expect(unknown.body.code).toBe('coupon.unknown');
  });

  it('is reserved until its first payment, and released where the subscription ends before', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const only = await coupon({ max_redemptions: 1, max_redemptions_per_user: 9 });
    const trial = await customer.subscribed({ prepay: true, trial_days: 10 }, {
      payment_method: await customer.card(),
      coupon: only.code,
    } as { payment_method: string });
    const plan = await customer.plan({ prepay: true });
    const body = { plan, user: customer.user, payment_method: await customer.card(), coupon: only.code };
    const refused = await world.admin.post('/subscriptions', { ...body, start_now: true });
    expect([refused.status, refused.body.code]).toEqual([422, 'coupon.used_up']);
    await customer.does(trial, 'stop', {});
    const id = idIn(await world.admin.made('/subscriptions', { ...body, start_now: true }));
    await customer.settled(id);
    expect((await customer.bill(id)).map(([, amount]) => amount)).toEqual([27]);
    expect(await used(only)).toBe(1);
  });

  it('is counted where setup fee and first period are settled at one instant', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const half = await coupon({ duration: 'FOREVER', percent_off: 0.5, max_redemptions: 1 });
    const plan = await customer.plan({ prepay: true, setup_fee: 10 });
    const payment_method = await customer.card();
    const body = { plan, user: customer.user, payment_method, coupon: half.code };
    const id = idIn(await world.admin.made('/subscriptions', body));
    await customer.settled(id);
    // The setup fee alone redeems nothing.
    expect(await used(half)).toBe(0);
    await customer.does(id, 'start', {});
    await customer.settled(id);
    expect((await customer.bill(id)).map(([, amount]) => amount)).toEqual([10, 15]);
    expect(await used(half)).toBe(1);
    await customer.does(id, 'stop', {});
    await customer.until('2026-05-01');
    expect(await used(half)).toBe(1);
  });

  it('is redeemed by 10 of 60 who race for the last 10', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const ten = await coupon({ max_redemptions: 10, max_redemptions_per_user: 60 });
    const plan = await customer.plan({ prepay: true });
    const payment_method = await customer.card();
    const body = { plan, user: customer.user, payment_method, coupon: ten.code, start_now: true };
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => world.admin.post('/subscriptions', body)),
    );
    const made = answers.filter(({ status }) => status < 300);
    const codesOfOthers = new Set(answers.filter(({ status }) => status >= 300).map((one) => one.body.code));
    expect([...codesOfOthers].filter((code) => code !== 'record.conflict')).toEqual(['coupon.used_up']);
    expect(made).toHaveLength(10);
    for (const { body: one } of made) await customer.settled(idIn(one));
    expect(await used(ten)).toBe(10);
    expect(await customer.ledger()).toMatchObject({ captured: 27_000 });
  });

  it('is known to doctor, with its reservation', async () => {
    const customer = await Scenario.begin(world, '2026-04-01');
    const [paid, held] = [await coupon({ max_redemptions: 3 }), await coupon({ max_redemptions: 3 })];
    const payment_method = await customer.card();
    const start = (plan: object, code: string): Promise<string> =>
      customer.subscribed(plan, { payment_method, coupon: code } as { payment_method: string });
    await customer.settled(await start({ prepay: true }, paid.code));
    await start({ prepay: true, trial_days: 10 }, held.code);
    await world.admin.post('/operations/checkup');
    const { findings } = await eventually(
      () => world.admin.read('/operations/checkup'),
      ({ state }) => state === 'done',
      60_000,
    );
    expect(findings).toEqual([]);
    expect([await used(paid), await used(held)]).toEqual([1, 0]);
  });

  it('can be used at once where the clock of the process that created it is ahead', async () => {
    const shop = new Shop(world);
    const { id: user, client, card: payment_method } = await shop.buyer();
    const product = await shop.product({ price: 20 });
    const made = await shop.coupon({ percent_off: 0.1, max_redemptions: 5, max_redemptions_per_user: 5 });
    const items = [{ product }];
    const order = idIn(await client.made('/orders', { items, coupon: made.code }));
    const ahead = new Date(Date.now() + 60_000);
    await shop.database
      .collection('coupons')
      .updateOne({ _id: parseId(made.id)! }, { $set: { created: ahead, starting_date: ahead } });
    const monthly = { name: 'Monthly', interval_unit: 'MONTH', currency: 'EUR', prepay: true };
    const plan = idIn(await world.admin.made('/plans', { ...monthly, total_amount: 30 }));
    const start = { plan, user, payment_method, start_now: true };
    const id = idIn(await world.admin.made('/subscriptions', { ...start, coupon: made.code }));
    const other = idIn(await world.admin.made('/subscriptions', start));
    const changed = await world.admin.made(`/subscriptions/${other}/change`, { coupon: made.code });
    expect(changed.coupon).toBe(made.code);
    expect((await client.made(`/orders/${order}/pay`, { payment_method })).amount).toBe(18);
    const [first] = await eventually(
      () => world.admin.read(`/subscriptions/${id}/payments`),
      ([one]) => one?.status === 'SUCCEEDED',
    );
    expect(first.amount).toBe(27);
  });
});
