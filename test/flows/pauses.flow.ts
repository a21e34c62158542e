import { World } from '../world.js';
import { Story, at } from './story.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

describe('a pause from 16 April at 00:00, 30.00 in April', () => {
  async function paused(plan: object, body: object = {}): Promise<{ story: Story; id: string }> {
    const story = await Story.begin(world, '2025-04-01');
    const id = await story.subscribed(plan, { payment_method: await story.card() });
    await story.settled(id);
    await story.until('2025-04-16');
    expect(await story.does(id, 'pause', body)).toMatchObject({ status: 'PAUSED', active: false });
    await story.settled(id);
    return { story, id };
  }

  it('bills the used days immediately in arrears, and the rest from the resumption on', async () => {
    const { story, id } = await paused({});
    expect(await story.bill(id)).toEqual([['2025-04-16', 15, 'SUCCEEDED']]);
    await story.until('2025-04-21');
    await story.does(id, 'start');
    await story.until('2025-05-01');
    expect((await story.ledger()).captured).toBe(2500);
    await story.until('2025-06-01');
    expect((await story.bill(id)).at(-1)).toEqual(['2025-06-01', 30, 'SUCCEEDED']);
  });

  it('refunds unused days immediately in advance', async () => {
    const { story, id } = await paused({ prepay: true });
    expect(await story.ledger()).toMatchObject({ captured: 3000, refunded: 1500 });
    await story.until('2025-04-21');
    await story.does(id, 'start');
    await story.settled(id);
    const { captured, refunded } = await story.ledger();
    expect(captured - refunded).toBe(2500);
    await story.until('2025-05-01');
    expect((await story.bill(id)).at(-1)).toEqual(['2025-05-01', 30, 'SUCCEEDED']);
  });

  it('begins a new period when it is anchored anew', async () => {
    const { story, id } = await paused({ prepay: true });
    await story.until('2025-07-10');
    expect(await story.payments(id)).toHaveLength(1);
    await story.does(id, 'start', { reanchor: true });
    await story.settled(id);
    expect(await story.subscription(id)).toMatchObject({
      current_billing_date_period_start: { $date: at('2025-07-10') },
      current_billing_date_period_end: { $date: at('2025-08-10') },
    });
    expect((await story.bill(id)).at(-1)).toEqual(['2025-07-10', 30, 'SUCCEEDED']);
  });

  it('ends by itself on the given date', async () => {
    const { story, id } = await paused({}, { resume_at: at('2025-05-10') });
    await story.until('2025-05-09');
    expect(await story.subscription(id)).toMatchObject({ status: 'PAUSED' });
    await story.until('2025-05-10');
    expect(await story.subscription(id)).toMatchObject({ status: 'ACTIVE', active: true, resume_at: null });
    const kinds = await story.kinds(id);
    expect(kinds.filter((kind) => kind === 'subscription.activated')).toHaveLength(2);
  });
});
