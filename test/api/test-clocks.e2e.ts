import { eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
const START = Date.UTC(2026, 0, 31, 12);
const DAY = 86_400_000;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const clock = (values: object = {}): Promise<any> =>
  world.admin.made('/test_clocks', { name: 'Leap', frozen_time: START, ...values });

describe('POST /test_clocks', () => {
  it('makes a clock that stands still', async () => {
    const made = await clock();
    expect(made).toMatchObject({
      _cls: 'TestClock',
      name: 'Leap',
      frozen_time: { $date: START },
      status: 'ready',
      deleted: false,
    });
    expect(made).not.toHaveProperty('target_time');
    expect(await world.admin.read(`/test_clocks/${idIn(made)}`)).toEqual(made);
  });

  it('needs a time to stand at', async () => {
    const { status, body } = await world.admin.post('/test_clocks', { name: 'None' });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: 'frozen_time' }]);
  });

  it('is for admins, and for keys of test mode', async () => {
    const { client } = await world.user();
    expect((await client.post('/test_clocks', { frozen_time: START })).status).toBe(403);
    const { admin } = await world.stranger({ mode: 'live' });
    const { status, body } = await admin.post('/test_clocks', { frozen_time: START });
    expect([status, body.code]).toEqual([422, 'test_clock.test_mode_only']);
  });

  it('is unknown to other companies', async () => {
    const made = await clock();
    const { admin } = await world.stranger();
    expect((await admin.get(`/test_clocks/${idIn(made)}`)).status).toBe(404);
    const advance = await admin.post(`/test_clocks/${idIn(made)}/advance`, { frozen_time: START + DAY });
    expect(advance.status).toBe(404);
  });
});

describe('POST /test_clocks/<id>/advance', () => {
  it('sends the clock off; it is ready when it has arrived', async () => {
    const id = idIn(await clock());
    const sent = await world.admin.made(`/test_clocks/${id}/advance`, { frozen_time: START + 3650 * DAY });
    expect(sent).toMatchObject({ status: 'advancing', frozen_time: { $date: START } });
    const arrived = await eventually(
      () => world.admin.read(`/test_clocks/${id}`),
      ({ status }) => status === 'ready',
    );
    expect(arrived.frozen_time).toEqual({ $date: START + 3650 * DAY });
  });

  it('is ready only when the events of its run are in the log', async () => {
    const id = idIn(await clock());
    const { id: user } = await world.user({ test_clock: id });
    const empty = await world.admin.made('/payment_methods', { payment_method: 'stripe', user });
    const card = { payment_method_id: 'pm_card_visa' };
    await world.admin.put(`/payment_methods/${idIn(empty)}`, card);
    const plan = await world.admin.made('/plans', {
      ...{ name: 'Daily', interval_unit: 'DAY', total_amount: 1, currency: 'EUR', prepay: true },
    });
    const terms = { plan: idIn(plan), user, payment_method: idIn(empty), start_now: true };
    const { _id } = await world.admin.made('/subscriptions', terms);
    for (let week = 1; week <= 5; week++) {
      await world.admin.made(`/test_clocks/${id}/advance`, { frozen_time: START + 7 * week * DAY });
      await eventually(
        () => world.admin.read(`/test_clocks/${id}`),
        ({ status }) => status === 'ready',
        30_000,
        { pauseMs: () => 1 },
      );
      const events: any[] = await world.admin.read('/events', { object: _id.$oid, size: 100 });
      const { object } = events.at(-1);
      const { current_billing_date_period_end: end } = await world.admin.read(`/subscriptions/${_id.$oid}`);
      expect(object.current_billing_date_period_end).toBe(end.$date);
    }
  });

  it('goes forward only', async () => {
    const id = idIn(await clock());
    const { status, body } = await world.admin.post(`/test_clocks/${id}/advance`, { frozen_time: START - 1 });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ path: 'frozen_time' }]);
  });

  it('dates the records of its users', async () => {
    const id = idIn(await clock());
    const { record } = await world.user({ test_clock: id });
    expect(record.created).toEqual({ $date: START });
  });
});

describe('DELETE /test_clocks/<id>', () => {
  it('stops the clock permanently', async () => {
    const id = idIn(await clock());
    expect((await world.admin.delete(`/test_clocks/${id}`)).body).toMatchObject({ deleted: true });
    expect((await world.admin.post(`/test_clocks/${id}/advance`, { frozen_time: START })).status).toBe(404);
  });
});
