import { getConnectionToken } from '@nestjs/mongoose';
import { BillingProcessor } from '@commerce/billing';
import { eventually, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { cli, json } from './command-line.js';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
});
afterAll(() => world.stop());

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

const COLLECTIONS = ['subscriptions', 'orders', 'payments', 'events'];

/** What the database holds now, as a backup would. */
async function backup(): Promise<() => Promise<void>> {
  const kept = new Map<string, any[]>();
  for (const name of COLLECTIONS) kept.set(name, await rows(name).find({}).toArray());
  return async () => {
    for (const [name, documents] of kept) {
      await rows(name).deleteMany({});
      if (documents.length > 0) await rows(name).insertMany(documents);
    }
  };
}

async function plan(amount: number): Promise<string> {
  const monthly = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
  return idIn(await world.admin.made('/plans', { ...monthly, currency: 'EUR', total_amount: amount }));
}

async function subscribed(buyer: Buyer, amount: number): Promise<string> {
  const values = { plan: await plan(amount), user: buyer.id, payment_method: buyer.card, start_now: true };
  return idIn(await world.admin.made('/subscriptions', values));
}

async function ordered(buyer: Buyer): Promise<string> {
  const product = await shop.product({ price: 12 });
  return idIn(await world.admin.made('/orders', { items: [{ product }], user: buyer.id }));
}

const bill = (): Promise<unknown> => world.get(BillingProcessor).runDue(new Date());

const paymentsOf = (subscription: string): Promise<any[]> =>
  world.admin.read(`/subscriptions/${subscription}/payments`);

async function lost(): Promise<{ kind: string; id: string; detail: string }[]> {
  const { stdout } = await cli(['doctor', '--provider', '--json']);
  return JSON.parse(stdout).findings.filter(({ kind }: any) => kind === 'payment.lost');
}

describe('After a restore', () => {
  it('nothing is charged twice: hold, doctor --provider --fix, resume', async () => {
    const buyer = await shop.buyer();
    const cautious = await shop.buyer('authenticationRequired');
    const subscription = await subscribed(buyer, 30);
    const order = await ordered(buyer);
    const waiting = await subscribed(cautious, 7);
    const restore = await backup();
    await bill();
    const [charged] = await paymentsOf(subscription);
    expect(charged).toMatchObject({ status: 'SUCCEEDED', amount: 30 });
    const before = await world.admin.read(`/subscriptions/${subscription}`);
    const paid = await world.admin.post(`/orders/${order}/pay`, { payment_method: buyer.card });
    expect(paid.body).toMatchObject({ status: 'PAID' });
    const [asked] = await paymentsOf(waiting);
    expect(asked.status).toBe('REQUIRES_AUTH');
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 4200, charges: 2 });

    await restore();
    expect(await paymentsOf(subscription)).toEqual([]);
    expect(await json('billing:hold')).toEqual({ held_since: expect.any(Number) });
    await bill();
    const refused = await world.admin.post(`/orders/${order}/pay`, { payment_method: buyer.card });
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([
      503,
      'billing.held',
      '60',
    ]);
    expect(await paymentsOf(subscription)).toEqual([]);
    const idle = await world.admin.read(`/subscriptions/${subscription}`);
    expect(idle).toMatchObject({ failed_attempts: 0, collection_state: 'OK' });

    const found = await lost();
    expect(found.map(({ id }) => id).sort()).toEqual(
      [idIn(charged), String(paid.body.payment.$oid), idIn(asked)].sort(),
    );
    await cli(['doctor', '--provider', '--fix', '--yes']);
    expect(await lost()).toEqual([]);
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({ status: 'PAID' });
    const { payment: ofOrder } = await world.admin.read(`/orders/${order}`);
    expect(await json('explain', ofOrder.$oid)).toMatchObject({ agrees: true });
    // Until the subscription follows it, nobody knows what the amount was made of.
    const unknown = JSON.parse((await cli(['explain', idIn(charged), '--json'])).stdout);
    expect(unknown).toMatchObject({ agrees: false, recomputed: null });

    expect(await json('billing:resume')).toEqual({ resumed: true });
    const after = await eventually(
      async () => {
        await bill();
        return world.admin.read(`/subscriptions/${subscription}`);
      },
      ({ next_billing_date }) => next_billing_date?.$date === before.next_billing_date?.$date,
      30_000,
    );
    expect(after).toMatchObject({ status: 'ACTIVE', last_billed_amount: 30 });
    expect(await paymentsOf(subscription)).toMatchObject([
      {
        ...{ _id: charged._id, status: 'SUCCEEDED', amount: 30, metadata: charged.metadata },
        // What it was for is worked out again when the subscription follows it.
        ...{ period_start: charged.period_start, period_end: charged.period_end },
        breakdown: { ...charged.breakdown, restored_from: charged.provider.intent_id },
      },
    ]);
    expect(await json('explain', idIn(charged))).toMatchObject({ agrees: true });
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 4200, charges: 2 });
    // What the customer had not authenticated yet is asked for anew, and only that can be authenticated.
    const [again, ...others] = await paymentsOf(waiting);
    expect([again.status, others]).toEqual(['REQUIRES_AUTH', []]);
    expect(idIn(again)).not.toBe(idIn(asked));
    expect(await shop.ledger(cautious)).toMatchObject({ captured: 0 });
  }, 180_000);

  it('money for what is not there any more is left to a person', async () => {
    const buyer = await shop.buyer();
    const restore = await backup();
    const subscription = await subscribed(buyer, 11);
    await bill();
    const [charged] = await paymentsOf(subscription);
    await restore();
    const { code, stdout } = await cli(['doctor', '--provider', '--fix', '--yes']);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`payment.lost  ${idIn(charged)}  11 EUR by`)]);
    expect(stdout).toContain('refund it');
    expect(await rows('payments').findOne({ _id: new Types.ObjectId(idIn(charged)) })).toBeNull();
  }, 120_000);
});
