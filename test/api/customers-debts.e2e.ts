import { idIn, type Client } from '@commerce/testing';

import { DAY, Scenario } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let plan: string;
let cheaper: string;
let card: string;
let user: Client;
let created: string;
let running: string;
let owing: string;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  plan = await scenario.plan({ prepay: true });
  cheaper = await scenario.plan({ prepay: true, total_amount: 20 });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
  created = idIn(await user.made('/subscriptions', { plan, payment_method: card }));
  running = idIn(await user.made('/subscriptions', body()));
  await scenario.settled(running);
  await scenario.bank('insufficient_funds');
  owing = idIn(await user.made('/subscriptions', body()));
  await scenario.settled(owing);
});
afterAll(() => world.stop());

/** A customer of its own, on a clock of its own. */
const another = async (): Promise<{ one: Scenario; own: Client; method: string }> => {
  const one = await Scenario.begin(world, '2026-04-01');
  const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
  return { one, own: world.anonymous.as(token), method: await one.card() };
};
const body = (): object => ({ plan, payment_method: card, start_now: true });
const change = (to: object): Promise<any> => user.post(`/subscriptions/${running}/change`, to);

describe('Users who owe', () => {
  it('start nothing and change to nothing dearer, and are told what they owe', async () => {
    const owed = [{ subscription: owing, amount: 30, currency: 'EUR' }];
    const refused = { status: 409, body: { code: 'user.owes', owed } };
    expect(await user.post('/subscriptions', body())).toMatchObject(refused);
    expect(await user.post('/subscriptions', { plan })).toMatchObject(refused);
    expect(await user.post(`/subscriptions/${created}/start`, {})).toMatchObject(refused);
    expect(await change({ quantity: 2 })).toMatchObject(refused);
    expect(await change({ quantity: 2, at: 'period_end' })).toMatchObject(refused);
    expect((await scenario.payments(running)).length).toBe(1);
  });

  it('are refused by the previews of these requests, too', async () => {
    const refused = { status: 409, body: { code: 'user.owes' } };
    expect(await user.post('/subscriptions/preview', { plan, payment_method: card })).toMatchObject(refused);
    expect(await user.get(`/subscriptions/${created}/preview?start=now`)).toMatchObject(refused);
    const preview = (to: object): Promise<any> => user.post(`/subscriptions/${running}/change/preview`, to);
    expect(await preview({ quantity: 2 })).toMatchObject(refused);
    expect((await preview({ plan: cheaper })).status).toBe(200);
    expect((await user.get(`/subscriptions/${running}/preview`)).status).toBe(200);
    const byAdmin = { plan, user: scenario.user, payment_method: card };
    expect((await world.admin.post('/subscriptions/preview', byAdmin)).status).toBe(200);
  });

  it('may at once where the company lets them, and admins may for them', async () => {
    const byAdmin = { ...body(), user: scenario.user };
    expect((await world.admin.post('/subscriptions', byAdmin)).status).toBe(200);
    await world.admin.put('/company', { customers: { may_owe: true } });
    expect((await change({ quantity: 2 })).status).toBe(200);
    expect((await user.post('/subscriptions', { plan })).status).toBe(200);
    await world.admin.put('/company', { customers: {} });
    expect((await user.post('/subscriptions', { plan })).status).toBe(409);
    expect((await change({ plan: cheaper, quantity: 1 })).status).toBe(200);
  });

  it('may again once it is paid', async () => {
    const other = await scenario.card('mastercard');
    expect((await user.put(`/subscriptions/${owing}`, { payment_method: other })).status).toBe(200);
    await scenario.settled(owing);
    expect((await scenario.subscription(owing)).outstanding_amount).toBe(0);
    expect((await user.post(`/subscriptions/${created}/start`, {})).status).toBe(200);
    expect((await user.post('/subscriptions', body())).status).toBe(200);
  });

  it('are refused however many smaller debts, which nobody can pay now, come before it', async () => {
    const { one, own, method } = await another();
    const tiny = await one.plan({ prepay: true, total_amount: 0.3 });
    const start = { user: one.user, payment_method: method, start_now: true };
    for (let count = 0; count < 12; count += 1)
      await one.settled(idIn(await world.admin.made('/subscriptions', { ...start, plan: tiny })));
    expect((await own.post('/subscriptions', { plan })).status).toBe(200);
    await one.bank('insufficient_funds');
    const last = idIn(await world.admin.made('/subscriptions', { ...start, plan }));
    await one.settled(last);
    const owed = [{ subscription: last, amount: 30, currency: 'EUR' }];
    expect(await own.post('/subscriptions', { plan })).toMatchObject({ status: 409, body: { owed } });
  });
});

describe('What a subscription ends with and no card can be charged for', () => {
  /** Advances the clock by days. */
  const later = async (one: Scenario, days: number): Promise<void> => {
    const { frozen_time } = await one.time();
    await one.until(Number(frozen_time.$date) + days * DAY);
  };
  const served = async (one: Scenario, own: Client, body: object): Promise<string> => {
    const id = idIn(await own.made('/subscriptions', body));
    await later(one, 1);
    await own.made(`/subscriptions/${id}/stop`, {});
    await later(one, 31);
    return id;
  };
  /** A subscription that leaves the price of a day: 0.33, or 0.32 in a month of 31. */
  const leaving = async (one: Scenario, own: Client, method: string, amount = 0.33): Promise<string> => {
    const small = await one.plan({ prepay: false, total_amount: 10 });
    const id = await served(one, own, { plan: small, payment_method: method, start_now: true });
    const { active, outstanding_amount } = await one.subscription(id);
    expect([active, outstanding_amount]).toEqual([false, amount]);
    return id;
  };

  it('is charged with the next subscription, as previewed, so that no day is free: in arrears', async () => {
    const { one, own, method } = await another();
    const first = await leaving(one, own, method);
    const small = await one.plan({ prepay: false, total_amount: 10 });
    const body = { plan: small, payment_method: method, start_now: true };
    const { start_now: _now, ...previewed } = body;
    const [next] = await own.made('/subscriptions/preview', previewed);
    expect(next).toMatchObject({ amount: 10.33 });
    const unstarted = idIn(await own.made('/subscriptions', previewed));
    const ahead = await own.read(`/subscriptions/${unstarted}/preview?start=now`);
    expect(ahead.charges[0]).toMatchObject({ amount: 10.33 });
    const second = await served(one, own, body);
    expect((await one.bill(second)).map(([, ...paid]) => paid)).toEqual([[0.65, 'SUCCEEDED']]);
    expect(await one.subscription(first)).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
    expect(await one.subscription(second)).toMatchObject({ outstanding_amount: 0 });
    await own.made(`/subscriptions/${unstarted}/start`, {});
    await later(one, 31);
    expect((await one.bill(unstarted)).map(([, amount]) => amount)).toEqual([10]);
  });

  it('is charged with the next that an admin or a user starts, once, whoever starts at the same time', async () => {
    const { one, own, method } = await another();
    const first = await leaving(one, own, method);
    const body = { plan: await one.plan({ prepay: true }), payment_method: method, start_now: true };
    const five = await Promise.all(
      Array.from({ length: 5 }, async (_, index) =>
        index % 2 === 0
          ? own.made('/subscriptions', body)
          : world.admin.made('/subscriptions', { ...body, user: one.user }),
      ),
    );
    const amounts: number[] = [];
    for (const made of five) {
      await one.settled(idIn(made));
      amounts.push(...(await one.bill(idIn(made))).map(([, amount]) => amount));
    }
    expect(amounts.sort((a, b) => a - b)).toEqual([30, 30, 30, 30, 30.33]);
    expect((await one.subscription(first)).outstanding_amount).toBe(0);
    const [changed] = (await one.events(first)).slice(-1);
    expect(changed).toMatchObject({
      kind: 'subscription.updated',
      previous_data: { outstanding_amount: 0.33 },
    });
  });

  it('is charged with a later start where the next one was cancelled in trial', async () => {
    const { one, own, method } = await another();
    await leaving(one, own, method);
    const tried = await one.plan({ prepay: true, trial_days: 7 });
    const trial = await served(one, own, { plan: tried, payment_method: method, start_now: true });
    expect(await one.subscription(trial)).toMatchObject({ status: 'CANCELLED', outstanding_amount: 0.33 });
    const last = idIn(await own.made('/subscriptions', { plan, payment_method: method, start_now: true }));
    await one.settled(last);
    expect((await one.bill(last)).map(([, amount]) => amount)).toEqual([30.33]);
  });

  it('does not make service begin before the first payment under CANCEL, nor hold it up', async () => {
    const { one, own, method } = await another();
    const started = async (values: object): Promise<any> => {
      const body = { plan: await one.plan({ initial_fail_amount_action: 'CANCEL', ...values }) };
      return own.made('/subscriptions', { ...body, payment_method: method, start_now: true });
    };
    await leaving(one, own, method);
    expect(await started({ prepay: false })).toMatchObject({ active: true, outstanding_amount: 0.33 });
    await leaving(one, own, method, 0.32);
    expect(await started({ prepay: true })).toMatchObject({ active: false, outstanding_amount: 0.32 });
  });
});
