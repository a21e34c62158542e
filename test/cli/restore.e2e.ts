import { getConnectionToken } from '@nestjs/mongoose';
import { BillingProcessor } from '@commerce/billing';
import { eventually, idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { Shop, type Buyer } from '../shop.js';
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

const rows = (name: string): ReturnType<Connection['collection']> =>
  world.api.get<Connection>(getConnectionToken()).collection(name);

async function plan(amount: number, more: object): Promise<string> {
  const monthly = {
    ...more,
    name: 'Monthly',
    interval_unit: 'MONTH',
    billing_interval: 'MONTH',
    prepay: true,
  };
  return idIn(await world.admin.made('/plans', { ...monthly, currency: 'EUR', total_amount: amount }));
}

async function subscribed(buyer: Buyer, amount: number, more: object = {}): Promise<string> {
  const values = {
    plan: await plan(amount, more),
    user: buyer.id,
    payment_method: buyer.card,
    start_now: true,
  };
  return idIn(await world.admin.made('/subscriptions', values));
}

async function ordered(buyer: Buyer): Promise<string> {
  const product = await shop.product({ price: 12 });
  return idIn(await world.admin.made('/orders', { items: [{ product }], user: buyer.id }));
}

const bill = (): Promise<unknown> => world.get(BillingProcessor).runDue(new Date());

const paymentsOf = (subscription: string): Promise<any[]> =>
  world.admin.read(`/subscriptions/${subscription}/payments`);

interface Found {
  readonly kind: string;
  readonly id: string;
  readonly detail: string;
}

/** The findings of doctor in the provider's books. */
async function lost(): Promise<Found[]> {
  const { stdout } = await cli(['doctor', '--provider', '--json']);
  const kinds = ['payment.lost', 'payment.paid_twice', 'payment.not_followed'];
  return JSON.parse(stdout).findings.filter(({ kind }: Found) => kinds.includes(kind));
}

describe('After a restore', () => {
  it('nothing is charged twice: hold, doctor --provider --fix, resume', async () => {
    const buyer = await shop.buyer();
    const cautious = await shop.buyer('authenticationRequired');
    const subscription = await subscribed(buyer, 30);
    const order = await ordered(buyer);
    const waiting = await subscribed(cautious, 7);
    const restore = await backup(world);
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
    expect(await lost()).toMatchObject([{ kind: 'payment.not_followed', id: idIn(charged) }]);
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({ status: 'PAID' });
    const { payment: ofOrder } = await world.admin.read(`/orders/${order}`);
    expect(await json('explain', ofOrder.$oid)).toMatchObject({ agrees: true });
    // Until the subscription follows the payment, the composition of its amount is unknown.
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
        // The subscription recomputes the breakdown when it follows the payment.
        ...{ period_start: charged.period_start, period_end: charged.period_end },
        breakdown: { ...charged.breakdown, restored_from: charged.provider.intent_id },
      },
    ]);
    expect(await json('explain', idIn(charged))).toMatchObject({ agrees: true });
    expect(await lost()).toEqual([]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 4200, charges: 2 });
    // The unauthenticated payment is requested anew, and only the new one can be authenticated.
    const [again, ...others] = await paymentsOf(waiting);
    expect([again.status, others]).toEqual(['REQUIRES_AUTH', []]);
    expect(idIn(again)).not.toBe(idIn(asked));
    expect(await shop.ledger(cautious)).toMatchObject({ captured: 0 });
  }, 180_000);

  it('an order whose intent was replaced after the backup counts the new one', async () => {
    const buyer = await shop.buyer('authenticationRequired');
    const items = [{ product: await shop.product({ price: 12 }) }];
    const asked = await buyer.client.post('/orders', { items, payment_method: buyer.card });
    expect(asked.body.status).toBe('REQUIRES_AUTH');
    const [order, payment] = [String(asked.body.order.$oid), idIn(asked.body)];
    const restore = await backup(world);
    const visa = idIn(await shop.card(buyer.client));
    const paid = await buyer.client.post(`/orders/${order}/pay`, { payment_method: visa });
    expect(paid.body.status).toBe('PAID');
    const charged = await world.admin.read(`/payments/${payment}`);
    expect(charged.provider.intent_id).not.toBe(asked.body.provider.intent_id);

    await restore();
    await json('billing:hold');
    expect(await lost()).toMatchObject([
      { id: payment, detail: expect.stringContaining(charged.provider.intent_id) },
    ]);
    await cli(['doctor', '--provider', '--fix', '--yes']);
    expect(await lost()).toEqual([]);
    await json('billing:resume');
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({
      status: 'PAID',
      payment: { $oid: payment },
    });
    expect(await world.admin.read(`/payments/${payment}`)).toMatchObject({
      ...{ status: 'SUCCEEDED', provider: charged.provider, metadata: charged.metadata },
      ...{ payment_method: { $oid: visa }, attempts: [{ status: 'FAILED' }, { status: 'SUCCEEDED' }] },
    });
    const again = await buyer.client.post(`/orders/${order}/pay`, { payment_method: visa });
    expect([again.status, again.body.current]).toEqual([409, 'PAID']);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 1200, refunded: 0, charges: 1 });
  }, 120_000);

  it('an order that was paid again before doctor ran gets the money of one payment back', async () => {
    const buyer = await shop.buyer();
    const order = await ordered(buyer);
    const restore = await backup(world);
    const pay = (): Promise<any> => world.admin.post(`/orders/${order}/pay`, { payment_method: buyer.card });
    const first = idIn({ _id: (await pay()).body.payment });
    await restore();
    const second = idIn({ _id: (await pay()).body.payment });
    expect(await lost()).toMatchObject([
      { kind: 'payment.paid_twice', id: first, detail: expect.stringContaining(second) },
    ]);
    await cli(['doctor', '--provider', '--fix', '--yes']);
    expect(await lost()).toEqual([]);
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({
      status: 'PAID',
      payment: { $oid: second },
    });
    expect(await world.admin.read(`/payments/${first}`)).toMatchObject({
      ...{ status: 'REFUNDED', order: { $oid: order }, refunded_amount: 12 },
      refunds: [{ reason: 'order.paid_already', status: 'SUCCEEDED' }],
    });
    expect(await shop.kinds(first)).toEqual(expect.arrayContaining(['payment.created', 'payment.succeeded']));
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, refunded: 1200, charges: 2 });
  }, 120_000);

  it('a second intent of a payment that another one has collected is refunded', async () => {
    const buyer = await shop.buyer();
    const order = await ordered(buyer);
    const paid = await world.admin.post(`/orders/${order}/pay`, { payment_method: buyer.card });
    const payment = idIn({ _id: paid.body.payment });
    const intent = await shop.charged(buyer, 1200, {
      ...{ company: world.company.toHexString(), payment, attempt: '2', order },
      ...{ kind: 'order', period_key: '1' },
    });
    expect(await lost()).toMatchObject([
      { kind: 'payment.paid_twice', id: payment, detail: expect.stringContaining(intent) },
    ]);
    await cli(['doctor', '--provider', '--fix', '--yes']);
    expect(await lost()).toEqual([]);
    const all: any[] = await world.admin.read('/payments', { order });
    expect(all.map(({ status, provider }) => [status, provider.intent_id === intent]).sort()).toEqual([
      ['REFUNDED', true],
      ['SUCCEEDED', false],
    ]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, refunded: 1200, charges: 2 });
  }, 120_000);

  it.each([
    ['a debt', 'chargeDeclined', { outstanding_amount: 30 }],
    [
      'a payment that waited for its customer',
      'authenticationRequired',
      { collection_state: 'REQUIRES_AUTH' },
    ],
  ])(
    'a new card that collected %s is credited',
    async (_what, card, before) => {
      const buyer = await shop.buyer(card);
      const subscription = await subscribed(buyer, 30, { should_retry_payments: false });
      const read = (): Promise<any> => world.admin.read(`/subscriptions/${subscription}`);
      await bill();
      expect(await read()).toMatchObject(before);
      const restore = await backup(world);
      const visa = idIn(await shop.card(buyer.client));
      const collect = async (): Promise<void> => {
        await world.admin.put(`/subscriptions/${subscription}`, { payment_method: visa });
        await bill();
      };
      await collect();
      const after = await read();
      expect(after).toMatchObject({ outstanding_amount: 0, collection_state: 'OK' });
      const charged = (await paymentsOf(subscription)).find(({ status }) => status === 'SUCCEEDED');

      await restore();
      await json('billing:hold');
      expect(await lost()).toMatchObject([{ id: idIn(charged) }]);
      await cli(['doctor', '--provider', '--fix', '--yes']);
      expect(await lost()).toEqual([]);
      await json('billing:resume');
      const { outstanding_amount, collection_state, failed_attempts, payments } = after;
      const credited = { outstanding_amount, collection_state, failed_attempts, payments };
      expect(await read()).toMatchObject(credited);
      await collect();
      expect(await read()).toMatchObject(credited);
      expect(await json('explain', idIn(charged))).toMatchObject({ agrees: true });
      expect(await shop.ledger(buyer)).toMatchObject({ captured: 3000, refunded: 0, charges: 1 });
    },
    120_000,
  );

  it('money for a deleted owner is left to a person', async () => {
    const buyer = await shop.buyer();
    const restore = await backup(world);
    const subscription = await subscribed(buyer, 11);
    await bill();
    const [charged] = await paymentsOf(subscription);
    await restore();
    const { code, stdout } = await cli(['doctor', '--provider', '--fix', '--yes']);
    const lost = new RegExp(`payment\\.lost +${idIn(charged)} +11 EUR by`);
    expect([code, stdout]).toEqual([1, expect.stringMatching(lost)]);
    expect(stdout).toContain('refund it');
    expect(await rows('payments').findOne({ _id: new Types.ObjectId(idIn(charged)) })).toBeNull();
  }, 120_000);
});
