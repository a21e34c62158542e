import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;
let scenario: Scenario;
let plan: string;
let card: string;
let user: Client;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-04-01');
  plan = await scenario.plan({ prepay: true });
  card = await scenario.card();
  const { access_token: token } = await world.admin.made(`/users/${scenario.user}/tokens`);
  user = world.anonymous.as(token);
});
afterAll(() => world.stop());

const body = (values: object = {}): object => ({ plan, payment_method: card, start_now: true, ...values });

async function subscribed(values: object = {}): Promise<string> {
  const id = idIn(await world.admin.made('/subscriptions', body({ user: scenario.user, ...values })));
  await scenario.settled(id);
  return id;
}

const setting = (name: string): object => ({
  status: 403,
  body: expect.objectContaining({ code: 'customer.not_allowed', setting: `customers.${name}` }),
});

describe('Users who stop with a period only', () => {
  let id: string;

  beforeAll(async () => {
    await world.admin.put('/company', { customers: { stop: 'period_end' } });
    id = await subscribed();
    await scenario.until('2026-04-11');
  });

  it.each([
    ['post', '/stop', { ending_date: at('2026-04-20') }],
    ['put', '', { ending_date: at('2026-05-20') }],
    ['post', '/start', { ending_date: at('2026-05-20') }],
  ] as const)('set no end within one: %s %s %j', async (method, path, given) => {
    const of = path === '/start' ? idIn(await user.made('/subscriptions', { plan })) : id;
    const before = await world.admin.read(`/subscriptions/${of}`);
    expect(await user[method](`/subscriptions/${of}${path}`, given)).toMatchObject(setting('stop'));
    expect(await world.admin.read(`/subscriptions/${of}`)).toEqual(before);
  });

  it('set none in a new subscription either, nor by a term of the start that another request gave', async () => {
    const within = { ending_date: at('2026-06-20') };
    expect(await user.post('/subscriptions', body(within))).toMatchObject(setting('stop'));
    expect(await user.post('/subscriptions/preview', { plan, ...within })).toMatchObject(setting('stop'));
    const created = idIn(await user.made('/subscriptions', { plan, payment_method: card, ...within }));
    expect(await user.post(`/subscriptions/${created}/start`, {})).toMatchObject(setting('stop'));
    expect((await user.post('/subscriptions', body({ ending_date: at('2026-06-11') }))).status).toBe(200);
    expect((await user.post('/subscriptions', body({ interval_total: 3 }))).status).toBe(200);
  });

  it('do not end a year that they change to within it', async () => {
    const of = await subscribed();
    expect((await user.put(`/subscriptions/${of}`, { ending_date: at('2026-06-11') })).status).toBe(200);
    const year = await scenario.plan({ prepay: true, interval_unit: 'ANNUAL', total_amount: 120 });
    for (const path of ['change', 'change/preview']) {
      for (const when of [{}, { at: 'period_end' }, { at: at('2026-05-11') }])
        expect(await user.post(`/subscriptions/${of}/${path}`, { plan: year, ...when })).toMatchObject(
          setting('stop'),
        );
    }
    expect((await user.post(`/subscriptions/${of}/change`, { quantity: 2 })).status).toBe(200);
  });

  it('stop at the end of the running one, without money back, as previewed', async () => {
    const { action } = await user.read(`/subscriptions/${id}/preview`, { stop: 'now' });
    expect([action.status, action.ending_date.$date, action.refunds]).toEqual([
      'NON_RENEWING',
      at('2026-05-01'),
      [],
    ]);
    const within = await user.get(`/subscriptions/${id}/preview`, { stop: at('2026-04-20') });
    expect(within).toMatchObject(setting('stop'));
    const stopped = await user.made(`/subscriptions/${id}/stop`, {});
    expect([stopped.status, stopped.active, stopped.ending_date.$date, stopped.prorate_amount]).toEqual([
      'NON_RENEWING',
      true,
      at('2026-05-01'),
      0,
    ]);
  });

  it('leave at once where no period runs, and keep an end that the company set', async () => {
    const trial = await scenario.plan({ prepay: true, trial_days: 20 });
    const tried = await subscribed({ plan: trial });
    expect((await user.made(`/subscriptions/${tried}/stop`, {})).status).toBe('CANCELLED');
    const ending = await subscribed({ ending_date: at('2026-06-20') });
    const noted = await user.put(`/subscriptions/${ending}`, { note: 'mine' });
    expect(noted.status).toBe(200);
    const until = await subscribed({ ending_date: at('2026-04-20') });
    const { status, ending_date } = await user.made(`/subscriptions/${until}/stop`, {});
    expect([status, ending_date.$date]).toEqual(['NON_RENEWING', at('2026-04-20')]);
    const byAdmin = await world.admin.post(`/subscriptions/${ending}/stop`, {
      ending_date: at('2026-04-20'),
    });
    expect(byAdmin.status).toBe(200);
  });
});

describe('Users who change to what costs more only', () => {
  let id: string;

  beforeAll(async () => {
    await world.admin.put('/company', { customers: { change: 'dearer' } });
    id = await subscribed({ quantity: 2 });
  });

  it.each<[string, { quantity?: number; total_amount?: number; interval_unit?: string }]>([
    ['fewer', { quantity: 1 }],
    ['a lower price', { interval_unit: 'MONTH', total_amount: 29.99 }],
    ['a lower price for a year', { interval_unit: 'ANNUAL', total_amount: 359.99 }],
    ['a lower price for a week', { interval_unit: 'WEEK', total_amount: 6.9 }],
    ['a lower price, more of it', { interval_unit: 'MONTH', total_amount: 19, quantity: 3 }],
  ])('do not change to %s', async (_case, { quantity, ...values }) => {
    const to = 'total_amount' in values ? { plan: await scenario.plan(values) } : {};
    const before = await world.admin.read(`/subscriptions/${id}`);
    for (const path of ['change', 'change/preview']) {
      for (const when of [{}, { at: 'period_end' }])
        expect(
          await user.post(`/subscriptions/${id}/${path}`, {
            ...{ ...to, ...when },
            ...(quantity === undefined ? {} : { quantity }),
          }),
        ).toMatchObject(setting('change'));
    }
    expect(await world.admin.read(`/subscriptions/${id}`)).toEqual(before);
  });

  it('change to what costs as much for a day, or more; an admin to anything', async () => {
    const same = await scenario.plan({ prepay: true, interval_unit: 'ANNUAL', total_amount: 360 });
    const half = { name: 'Half', percent_off: 0.5, starting_date: at('2026-01-01') };
    const coupon = await world.admin.made('/coupons', half);
    for (const to of [{ plan }, { quantity: 3 }, { coupon: coupon.code }, { plan: same }]) {
      const done = await user.post(`/subscriptions/${id}/change`, to);
      expect([done.status, done.body.code]).toEqual([200, undefined]);
      await scenario.settled(id);
    }
    expect((await world.admin.post(`/subscriptions/${id}/change`, { quantity: 1 })).status).toBe(200);
  });
});

describe('Users who update no templates', () => {
  it('are refused', async () => {
    const template = await world.admin.made('/templates', { name: 'T', model: 'Product', attributes: [] });
    const path = `/templates/${idIn(template)}`;
    expect((await user.put(path, { name: 'Theirs', attributes: [] })).status).toBe(200);
    await world.admin.put('/company', { customers: { templates: false } });
    expect(await user.put(path, { name: 'Ours', attributes: [] })).toMatchObject(setting('templates'));
    expect((await world.admin.put(path, { name: 'Ours', attributes: [] })).status).toBe(200);
  });
});
