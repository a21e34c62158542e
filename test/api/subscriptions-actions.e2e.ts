import { eventually } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

describe('POST /subscriptions/<id>/start', () => {
  it('sets the starting date and the billing period', async () => {
    const id = await scenario.subscribed({});
    const started = await scenario.does(id, 'start', {
      payment_method: await scenario.card(),
      interval_total: 3,
    });
    expect(started).toMatchObject({
      status: 'ACTIVE',
      active: true,
      interval_total: 3,
      starting_date: { $date: at('2026-04-01') },
      current_billing_date_period_start: { $date: at('2026-04-01') },
      current_billing_date_period_end: { $date: at('2026-05-01') },
      next_billing_date: { $date: at('2026-05-01') },
    });
    expect(await scenario.kinds(id)).toEqual(['subscription.created', 'subscription.activated']);
  });

  it('waits for a date to come', async () => {
    const id = await scenario.subscribed({});
    const started = await scenario.does(id, 'start', { starting_date: at('2026-06-10') });
    expect(started).toMatchObject({ status: 'FUTURE', active: false });
    expect(await scenario.kinds(id)).toEqual(['subscription.created', 'subscription.future']);
  });

  it('lets one of twenty win, and reports one start', async () => {
    const id = await scenario.subscribed({ setup_fee: 5 });
    const body = { payment_method: await scenario.card() };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => world.admin.post(`/subscriptions/${id}/start`, body)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    for (const { body: problem } of refused) {
      expect(problem).toMatchObject({
        code: 'subscription.state_conflict',
        current: 'ACTIVE',
        allowed: ['stop', 'pause'],
      });
    }
    await eventually(
      () => scenario.payments(id),
      (payments) => payments.some(({ status }) => status === 'SUCCEEDED'),
    );
    expect(await scenario.bill(id)).toEqual([['2026-04-01', 5, 'SUCCEEDED']]);
    const kinds = await scenario.kinds(id);
    expect(kinds.filter((kind) => kind === 'subscription.activated')).toHaveLength(1);
  });

  it.each([
    ['an unknown field', { status: 'ACTIVE' }, 'status'],
    ['an end before the start', { ending_date: at('2026-03-01') }, 'ending_date'],
    ['a payment method that is none', { payment_method: 'visa' }, 'payment_method'],
  ])('refuses %s, and stores nothing', async (_case, body, path) => {
    const id = await scenario.subscribed({});
    const answer = await world.admin.post(`/subscriptions/${id}/start`, body);
    expect([answer.status, paths(answer.body)]).toEqual([422, [path]]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CREATED' });
  });
});

describe('POST /subscriptions/<id>/stop', () => {
  it('stops immediately, and settles at the end of the period', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    expect(await scenario.does(id, 'stop')).toMatchObject({
      status: 'NON_RENEWING',
      active: false,
      ending_date: { $date: at('2026-04-01') },
      prorate_amount: -30,
    });
    expect((await scenario.kinds(id)).at(-1)).toBe('subscription.non_renewing');
    const again = await world.admin.post(`/subscriptions/${id}/start`);
    expect([again.status, again.body.allowed]).toEqual([409, []]);
  });

  it('stops at a date, and can be undone until then', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    const ending_date = at('2026-07-15');
    expect(await scenario.does(id, 'stop', { ending_date })).toMatchObject({
      status: 'NON_RENEWING',
      active: true,
      ending_date: { $date: ending_date },
    });
    expect(await scenario.does(id, 'start')).toMatchObject({
      status: 'ACTIVE',
      ending_date: null,
      prorate_amount: 0,
    });
  });

  it('cancels a subscription that never started, and charges nothing', async () => {
    const id = await scenario.subscribed({});
    expect(await scenario.does(id, 'stop')).toMatchObject({ status: 'CANCELLED', active: false });
    expect(await scenario.kinds(id)).toEqual(['subscription.created', 'subscription.cancelled']);
    const again = await world.admin.post(`/subscriptions/${id}/stop`);
    expect([again.status, again.body.code]).toEqual([409, 'subscription.state_conflict']);
  });
});

describe('POST /subscriptions/<id>/pause', () => {
  it('pauses until it is started again', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    expect(await scenario.does(id, 'pause')).toMatchObject({
      status: 'PAUSED',
      active: false,
      paused_at: { $date: at('2026-04-01') },
    });
    expect(await scenario.does(id, 'start')).toMatchObject({
      status: 'ACTIVE',
      active: true,
      paused_at: null,
    });
  });

  it('refuses to resume in the past', async () => {
    const id = await scenario.subscribed({}, { payment_method: await scenario.card() });
    const answer = await world.admin.post(`/subscriptions/${id}/pause`, { resume_at: at('2026-03-01') });
    expect([answer.status, paths(answer.body)]).toEqual([422, ['resume_at']]);
  });
});
