import { BillingProcessor } from '@commerce/billing';
import { eventually, idIn } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { backup } from './backup.js';
import { cli, json } from './command-line.js';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
});
afterAll(() => world.stop());

const bill = (): Promise<unknown> => world.get(BillingProcessor).runDue(new Date());

const paymentsOf = (subscription: string): Promise<any[]> =>
  world.admin.read(`/subscriptions/${subscription}/payments`);

describe('After a restore', () => {
  it('a payment that is written back takes its credit from the restored balance again', async () => {
    const buyer = await shop.buyer();
    await world.admin.made(`/users/${buyer.id}/credits`, { amount: 12, currency: 'EUR' });
    const monthly = {
      name: 'Monthly',
      interval_unit: 'MONTH',
      prepay: true,
      currency: 'EUR',
      total_amount: 30,
    };
    const plan = idIn(await world.admin.made('/plans', monthly));
    const start = { plan, user: buyer.id, payment_method: buyer.card, start_now: true };
    const subscription = idIn(await world.admin.made('/subscriptions', start));
    const restore = await backup(world);
    await bill();
    const [charged] = await paymentsOf(subscription);
    expect(charged).toMatchObject({ status: 'SUCCEEDED', amount: 18, credit_applied: 12 });

    await restore();
    expect(await world.admin.read(`/users/${buyer.id}`)).toMatchObject({ balance: { EUR: 12 } });
    await json('billing:hold');
    await cli(['doctor', '--provider', '--fix', '--yes']);
    await json('billing:resume');
    const [followed] = await eventually(
      async () => {
        await bill();
        return paymentsOf(subscription);
      },
      ([one]) => one?.period_start?.$date === charged.period_start.$date,
      30_000,
    );
    expect(followed).toMatchObject({ _id: charged._id, amount: 18, credit_applied: 12 });
    expect(followed.breakdown.parts).toEqual(charged.breakdown.parts);
    expect(await world.admin.read(`/users/${buyer.id}`)).toMatchObject({ balance: {} });
    const ledger = await world.admin.read(`/users/${buyer.id}/credits`);
    expect(ledger.map(({ kind, amount }: any) => [kind, amount])).toEqual([
      ['applied', -12],
      ['granted', 12],
    ]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 1800, charges: 1 });
  });
});
