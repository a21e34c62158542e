import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const paths = (body: { errors: { path: string }[] }): string[] => body.errors.map(({ path }) => path);

async function monthly(plan: object, date: string): Promise<{ scenario: Scenario; id: string }> {
  const scenario = await Scenario.begin(world, '2026-04-01');
  const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
  await scenario.until(date);
  return { scenario, id };
}

type Query = Record<string, string | number | boolean>;

const preview = (id: string, query: Query): Promise<any> =>
  world.admin.read(`/subscriptions/${id}/preview`, query);

const amounts = (payments: any[]): unknown[] =>
  payments.map(({ amount, created }) => [created.$date, amount]);

describe('GET /subscriptions/<id>/preview?stop', () => {
  it('shows what is given back at the end of a prepaid period, to the cent', async () => {
    const { scenario, id } = await monthly({ prepay: true }, '2026-04-16');
    const shown = await preview(id, { stop: 'now' });
    expect(shown).toEqual({
      charges: [],
      action: {
        status: 'NON_RENEWING',
        active: false,
        trial_ending_date: null,
        ending_date: { $date: at('2026-04-16') },
        resume_at: null,
        cancelled_at: { $date: at('2026-05-01') },
        prorate_amount: -15,
        refunds: [{ date: { $date: at('2026-05-01') }, amount: 15, to_balance: 0 }],
        outstanding_amount: 0,
      },
    });
    expect(await scenario.subscription(id)).toMatchObject({ status: 'ACTIVE', prorate_amount: 0 });
    const stopped = await scenario.does(id, 'stop');
    const { status, active, ending_date, prorate_amount } = shown.action;
    expect(stopped).toMatchObject({ status, active, ending_date, prorate_amount });
    await scenario.until('2026-06-01');
    const [paid] = await scenario.payments(id);
    expect(paid.refunds.map(({ amount, at: date }: any) => [date, amount])).toEqual([
      [shown.action.cancelled_at, 15],
    ]);
    const last = (await scenario.events(id)).at(-1);
    expect([last?.kind, last?.created]).toEqual(['subscription.cancelled', at('2026-05-01')]);
  });

  it('shows the charges until a date, and the deduction of its period', async () => {
    const { scenario, id } = await monthly({}, '2026-04-16');
    const shown = await preview(id, { stop: at('2026-06-16'), count: 1 });
    expect(shown.charges).toHaveLength(1);
    const { charges, action } = await preview(id, { stop: at('2026-06-16') });
    expect(action).toMatchObject({ active: true, prorate_amount: -15, refunds: [], outstanding_amount: 0 });
    expect(shown.action).toEqual(action);
    await scenario.does(id, 'stop', { ending_date: at('2026-06-16') });
    await scenario.until('2026-08-01');
    const billed = await scenario.payments(id);
    expect(amounts(billed)).toEqual([
      [at('2026-05-01'), 30],
      [at('2026-06-01'), 30],
      [at('2026-07-01'), 15],
    ]);
    expect(amounts(billed)).toEqual(charges.map(({ date, amount }: any) => [date.$date, amount]));
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CANCELLED', prorate_amount: -15 });
  });

  it('divides a refund between card and balance, and leaves what a person has given back', async () => {
    const scenario = await Scenario.begin(world, '2026-04-01');
    const credit = { amount: 20, currency: 'EUR', note: 'sorry' };
    await world.admin.made(`/users/${scenario.user}/credits`, credit);
    const id = await scenario.subscribed({ prepay: true }, { payment_method: await scenario.card() });
    await scenario.until('2026-04-16');
    const [{ _id }] = await scenario.payments(id);
    await world.admin.made(`/payments/${String(_id.$oid)}/refunds`, { amount: 2, reason: 'sorry' });
    const { action } = await preview(id, { stop: 'now' });
    expect(action.refunds).toEqual([{ date: { $date: at('2026-05-01') }, amount: 8, to_balance: 7 }]);
    await scenario.does(id, 'stop');
    await scenario.until('2026-05-02');
    const [{ refunds }] = await scenario.payments(id);
    expect(refunds.map(({ to, amount }: any) => [to, amount])).toEqual([
      ['card', 2],
      ['card', 8],
      ['balance', 7],
    ]);
  });
});

describe('GET /subscriptions/<id>/preview?pause', () => {
  it.each([
    ['prepaid: what is unused is given back', { prepay: true }],
    ['in arrears: what was used is charged', {}],
  ])('%s', async (_case, plan) => {
    const { scenario, id } = await monthly(plan, '2026-04-11');
    const { charges, action } = await preview(id, { pause: 'now', resume_at: at('2026-04-21'), count: 3 });
    expect(action).toMatchObject({
      status: 'PAUSED',
      active: false,
      resume_at: { $date: at('2026-04-21') },
      cancelled_at: null,
    });
    const before = (await scenario.payments(id)).length;
    await scenario.does(id, 'pause', { resume_at: at('2026-04-21') });
    await scenario.until(charges.at(-1).date.$date);
    const billed = await scenario.payments(id);
    expect(amounts(billed).slice(before)).toEqual(
      charges.map(({ date, amount }: any) => [date.$date, amount]),
    );
    const refunds = billed.flatMap((one: any) => one.refunds);
    expect(refunds.map(({ at: date, amount }: any) => ({ date, amount, to_balance: 0 }))).toEqual(
      action.refunds,
    );
    expect(action.refunds).toHaveLength(before);
  });
});

const charged = (charges: any[]): unknown[] => charges.map(({ date, amount }: any) => [date.$date, amount]);

describe('GET /subscriptions/<id>/preview?start', () => {
  it('shows the trial and the charges of a new subscription, which its start makes', async () => {
    const scenario = await Scenario.begin(world, '2026-04-01');
    const payer = { payment_method: await scenario.card(), start_now: false };
    const id = await scenario.subscribed({ prepay: true, trial_days: 5 }, payer);
    const now = await preview(id, { start: 'now' });
    expect(now.action).toEqual({
      status: 'ACTIVE',
      active: true,
      trial_ending_date: { $date: at('2026-04-06') },
      ending_date: null,
      resume_at: null,
      cancelled_at: null,
      prorate_amount: 0,
      refunds: [],
      outstanding_amount: 0,
    });
    const later = await preview(id, { start: at('2026-04-03'), count: 2 });
    expect(later.action).toMatchObject({
      status: 'FUTURE',
      active: false,
      trial_ending_date: { $date: at('2026-04-08') },
    });
    expect(charged(later.charges)).toEqual([
      [at('2026-04-08'), 30],
      [at('2026-05-08'), 30],
    ]);
    expect(await scenario.subscription(id)).toMatchObject({ status: 'CREATED', starting_date: null });
    await scenario.does(id, 'start', { starting_date: at('2026-04-03') });
    await scenario.until('2026-05-09');
    expect(amounts(await scenario.payments(id))).toEqual(charged(later.charges));
  });

  it('shows a trial that ends without a charge where nobody can pay', async () => {
    const scenario = await Scenario.begin(world, '2026-04-01');
    const id = await scenario.subscribed({ prepay: true, trial_days: 5, setup_fee: 10 });
    const { charges, action } = await preview(id, { start: 'now' });
    expect([charged(charges), action.active]).toEqual([[[at('2026-04-01'), 10]], true]);
    await scenario.does(id, 'start');
    await scenario.until('2026-06-01');
    expect((await scenario.subscription(id)).status).toBe('PAUSED');
    expect(amounts(await scenario.payments(id))).toEqual(charged(charges));
  });

  it.each<[string, Query, [string, number][]]>([
    [
      'on its dates',
      {},
      [
        ['2026-04-21', 10],
        ['2026-05-01', 30],
      ],
    ],
    [
      'with a new period',
      { reanchor: true },
      [
        ['2026-04-21', 30],
        ['2026-05-21', 30],
      ],
    ],
  ])('shows the charges of a resume %s', async (_case, given, expected) => {
    const { scenario, id } = await monthly({ prepay: true }, '2026-04-11');
    await scenario.does(id, 'pause');
    await scenario.until('2026-04-21');
    const { charges, action } = await preview(id, { start: 'now', count: 2, ...given });
    expect(action).toMatchObject({ status: 'ACTIVE', active: true, refunds: [], cancelled_at: null });
    expect(charged(charges)).toEqual(expected.map(([date, amount]) => [at(date), amount]));
    await scenario.does(id, 'start', given);
    await scenario.until('2026-05-22');
    expect(amounts(await scenario.payments(id)).slice(1, 3)).toEqual(charged(charges));
  });

  it('shows what a stop that is taken back goes on to charge', async () => {
    const { scenario, id } = await monthly({ prepay: true }, '2026-04-11');
    await scenario.does(id, 'stop', { ending_date: at('2026-04-16') });
    const { charges, action } = await preview(id, { start: 'now', count: 2 });
    expect(action).toMatchObject({ status: 'ACTIVE', ending_date: null, refunds: [], prorate_amount: 0 });
    expect(charged(charges)).toEqual([
      [at('2026-05-01'), 30],
      [at('2026-06-01'), 30],
    ]);
    await scenario.does(id, 'start');
    await scenario.until('2026-06-02');
    expect(amounts(await scenario.payments(id)).slice(1)).toEqual(charged(charges));
  });

  it('is refused as the start: while it runs, on a date after the first, too far back', async () => {
    const { scenario, id } = await monthly({ prepay: true }, '2026-04-11');
    const refused = async (of: string, query: Query): Promise<unknown[]> => {
      const { status, body } = await world.admin.get(`/subscriptions/${of}/preview`, query);
      return [status, body.code, ...(body.errors ?? []).map((one: any) => [one.path, one.message])];
    };
    expect(await refused(id, { start: 'now' })).toEqual([409, 'subscription.state_conflict']);
    await scenario.does(id, 'pause');
    const message = 'start is for the first start';
    expect(await refused(id, { start: at('2026-04-20') })).toEqual([
      422,
      'value.invalid',
      ['start', message],
    ]);
    const created = await scenario.subscribed({});
    const tooFar = ['start', 'start must be at most 366 days in the past'];
    expect(await refused(created, { start: at('2020-01-01') })).toEqual([422, 'value.invalid', tooFar]);
  });
});

describe('GET /subscriptions/<id>/preview', () => {
  it.each<[string, Query, string]>([
    ['a date in the past', { stop: at('2026-04-15') }, 'stop'],
    ['a word', { stop: 'soon' }, 'stop'],
    ['stop and pause', { stop: 'now', pause: 'now' }, 'pause'],
    ['start and stop', { start: 'now', stop: 'now' }, 'stop'],
    ['a new period without a start', { reanchor: 'true' }, 'reanchor'],
    ['a pause later', { pause: at('2026-05-01') }, 'pause'],
    ['a resume without a pause', { resume_at: at('2026-05-01') }, 'resume_at'],
    ['a resume in the past', { pause: 'now', resume_at: at('2026-04-15') }, 'resume_at'],
  ])('refuses %s', async (_case, query, path) => {
    const { id } = await monthly({ prepay: true }, '2026-04-16');
    const answer = await world.admin.get(`/subscriptions/${id}/preview`, query);
    expect([answer.status, paths(answer.body)]).toEqual([422, [path]]);
    if (path === 'stop') expect(answer.body.errors[0].message).toMatch(/^stop must/);
  });

  it('refuses an action as the action itself, and others subscriptions', async () => {
    const { scenario, id } = await monthly({ prepay: true }, '2026-04-16');
    await scenario.does(id, 'stop');
    for (const query of [{ stop: 'now' }, { pause: 'now' }] as Query[]) {
      const { status, body } = await world.admin.get(`/subscriptions/${id}/preview`, query);
      expect([status, body.code, body.current, body.allowed]).toEqual([
        409,
        'subscription.state_conflict',
        'NON_RENEWING',
        [],
      ]);
    }
    const { client } = await world.user();
    expect((await client.get(`/subscriptions/${id}/preview`, { stop: 'now' })).status).toBe(404);
  });

  it('has no action without one', async () => {
    const { id } = await monthly({ prepay: true }, '2026-04-16');
    const { charges, action } = await preview(id, { count: 1 });
    expect([charges[0].amount, action]).toEqual([30, null]);
  });
});
