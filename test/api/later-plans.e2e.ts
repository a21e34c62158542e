import { idIn, type Client } from '@commerce/testing';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** A customer who starts subscriptions and changes their plans. */
async function customer(): Promise<{ one: Scenario; own: Client; method: string }> {
  const one = await Scenario.begin(world, '2026-04-01');
  const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
  return { one, own: world.anonymous.as(token), method: await one.card() };
}
type Customer = Awaited<ReturnType<typeof customer>>;

async function started({ one, own, method }: Customer, plan: object, more: object = {}): Promise<string> {
  const body = { plan: await one.plan({ total_amount: 60, prepay: true, ...plan }), payment_method: method };
  const id = idIn(await own.made('/subscriptions', { ...body, start_now: true, ...more }));
  await one.settled(id);
  return id;
}
const plan = ({ one }: Customer, values: object): Promise<string> =>
  one.plan({ total_amount: 60, prepay: true, ...values });
const amounts = async ({ one }: Customer, id: string): Promise<[string, number][]> =>
  (await one.bill(id)).map(([date, amount]) => [date, amount]);

describe('The setup fee of a later plan, where no plan before had one', () => {
  it('is charged to a user with the change, as previewed, and once', async () => {
    const buyer = await customer();
    const { one, own } = buyer;
    const id = await started(buyer, {});
    await one.until('2026-04-16');
    const fee = await plan(buyer, { setup_fee: 5 });
    const {
      charges: [first],
    } = await own.made(`/subscriptions/${id}/change/preview`, { plan: fee });
    expect(first).toMatchObject({
      amount: 5,
      breakdown: { parts: expect.arrayContaining([expect.objectContaining({ kind: 'setup', amount: 5 })]) },
    });
    expect((await own.made(`/subscriptions/${id}/change`, { plan: fee })).plan.$oid).toBe(fee);
    const other = await plan(buyer, { setup_fee: 7, total_amount: 90 });
    await own.made(`/subscriptions/${id}/change`, { plan: other });
    await one.until('2026-05-01');
    expect(await amounts(buyer, id)).toEqual([
      ['2026-04-01', 60],
      ['2026-04-16', 5],
      ['2026-04-16', 15],
      ['2026-05-01', 90],
    ]);
  });

  it.each([{ setup_fee: 'waive' }, { collect: 'later' }, { credit: 'refund' }])(
    'is not waived by a user, who has neither credit nor time for it: %j',
    async (asked) => {
      const buyer = await customer();
      const id = await started(buyer, {});
      const body = { plan: await plan(buyer, { setup_fee: 5 }), ...asked };
      for (const path of ['change', 'change/preview']) {
        const { status, body: refused } = await buyer.own.post(`/subscriptions/${id}/${path}`, body);
        expect([status, refused.code]).toEqual([403, 'role.forbidden']);
        expect(refused.errors).toMatchObject([{ path: Object.keys(asked)[0] }]);
      }
      expect(await amounts(buyer, id)).toEqual([['2026-04-01', 60]]);
    },
  );

  it('leaves the plan unchanged where the card is declined for it', async () => {
    const buyer = await customer();
    const { one, own } = buyer;
    const id = await started(buyer, {});
    await one.bank('insufficient_funds');
    const refused = await own.post(`/subscriptions/${id}/change`, {
      plan: await plan(buyer, { setup_fee: 5 }),
    });
    expect([refused.status, refused.body.code]).toEqual([402, 'payment.declined']);
    const again = await plan(buyer, { setup_fee: 4 });
    expect((await own.made(`/subscriptions/${id}/change`, { plan: again })).plan.$oid).toBe(again);
    expect((await one.bill(id)).map(([, ...paid]) => paid)).toEqual([
      [60, 'SUCCEEDED'],
      [5, 'FAILED'],
      [4, 'SUCCEEDED'],
    ]);
  });

  it('is charged in trial at once, and with the start of one to come', async () => {
    const buyer = await customer();
    const { one, own } = buyer;
    const trial = await started(buyer, { trial_days: 30 });
    const future = await started(buyer, {}, { starting_date: at('2026-04-20') });
    for (const id of [trial, future]) {
      const fee = await plan(buyer, { setup_fee: 5, trial_days: id === trial ? 30 : 0 });
      await own.made(`/subscriptions/${id}/change`, { plan: fee });
      await one.settled(id);
    }
    expect([await amounts(buyer, trial), await amounts(buyer, future)]).toEqual([[['2026-04-01', 5]], []]);
    await one.until('2026-05-01');
    expect(await amounts(buyer, trial)).toEqual([
      ['2026-04-01', 5],
      ['2026-05-01', 60],
    ]);
    expect(await amounts(buyer, future)).toEqual([['2026-04-20', 65]]);
  });
});

describe('The trial of a user who exchanges the plan in it', () => {
  it.each([
    ['a shorter one', 7, '2026-04-08'],
    ['one that has passed', 3, '2026-04-05'],
    ['none', 0, '2026-04-05'],
    ['a longer one', 60, '2026-05-01'],
  ])('ends with that of the new plan, counted from the start: %s', async (_, trial_days, end) => {
    const buyer = await customer();
    const { one, own } = buyer;
    const id = await started(buyer, { trial_days: 30 });
    await one.until('2026-04-05');
    const next = { plan: await plan(buyer, { trial_days, total_amount: 40 }) };
    const {
      charges: [first],
    } = await own.made(`/subscriptions/${id}/change/preview`, next);
    expect(first).toMatchObject({ amount: 40, date: { $date: at(end) } });
    const changed = await own.made(`/subscriptions/${id}/change`, next);
    expect(changed.trial_ending_date.$date).toBe(at(end));
    await one.settled(id);
    await one.until(end);
    expect(await amounts(buyer, id)).toEqual([[end, 40]]);
  });

  it('keeps its date where the company exchanges the plan', async () => {
    const buyer = await customer();
    const id = await started(buyer, { trial_days: 30 });
    const next = { plan: await plan(buyer, { trial_days: 0 }) };
    const changed = await world.admin.made(`/subscriptions/${id}/change`, next);
    expect(changed).toMatchObject({ in_trial: true, trial_ending_date: { $date: at('2026-05-01') } });
  });
});
