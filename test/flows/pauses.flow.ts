import { World } from '../world.js';
import { Scenario, at } from './scenario.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('a pause from 16 April at 00:00, 30.00 in April', () => {
  async function paused(plan: object, body: object = {}): Promise<{ scenario: Scenario; id: string }> {
    const scenario = await Scenario.begin(world, '2025-04-01');
    const id = await scenario.subscribed(plan, { payment_method: await scenario.card() });
    await scenario.settled(id);
    await scenario.until('2025-04-16');
    expect(await scenario.does(id, 'pause', body)).toMatchObject({ status: 'PAUSED', active: false });
    await scenario.settled(id);
    return { scenario, id };
  }

  it('bills the used days immediately in arrears, and the rest from the resumption on', async () => {
    const { scenario, id } = await paused({});
    expect(await scenario.bill(id)).toEqual([['2025-04-16', 15, 'SUCCEEDED']]);
    await scenario.until('2025-04-21');
    await scenario.does(id, 'start');
    await scenario.until('2025-05-01');
    expect((await scenario.ledger()).captured).toBe(2500);
    await scenario.until('2025-06-01');
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-06-01', 30, 'SUCCEEDED']);
  });

  it('refunds unused days immediately in advance', async () => {
    const { scenario, id } = await paused({ prepay: true });
    expect(await scenario.ledger()).toMatchObject({ captured: 3000, refunded: 1500 });
    await scenario.until('2025-04-21');
    await scenario.does(id, 'start');
    await scenario.settled(id);
    const { captured, refunded } = await scenario.ledger();
    expect(captured - refunded).toBe(2500);
    await scenario.until('2025-05-01');
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-05-01', 30, 'SUCCEEDED']);
  });

  it('begins a new period when it is anchored anew', async () => {
    const { scenario, id } = await paused({ prepay: true });
    await scenario.until('2025-07-10');
    expect(await scenario.payments(id)).toHaveLength(1);
    await scenario.does(id, 'start', { reanchor: true });
    await scenario.settled(id);
    expect(await scenario.subscription(id)).toMatchObject({
      current_billing_date_period_start: { $date: at('2025-07-10') },
      current_billing_date_period_end: { $date: at('2025-08-10') },
    });
    expect((await scenario.bill(id)).at(-1)).toEqual(['2025-07-10', 30, 'SUCCEEDED']);
  });

  it('ends by itself on the given date', async () => {
    const { scenario, id } = await paused({}, { resume_at: at('2025-05-10') });
    await scenario.until('2025-05-09');
    expect(await scenario.subscription(id)).toMatchObject({ status: 'PAUSED' });
    await scenario.until('2025-05-10');
    expect(await scenario.subscription(id)).toMatchObject({
      status: 'ACTIVE',
      active: true,
      resume_at: null,
    });
    const kinds = await scenario.kinds(id);
    expect(kinds.filter((kind) => kind === 'subscription.activated')).toHaveLength(2);
  });
});
