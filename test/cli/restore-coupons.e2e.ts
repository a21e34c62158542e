import { BillingProcessor } from '@commerce/billing';
import { eventually, idIn } from '@commerce/testing';

import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';
import { backup } from './backup.js';
import { cli, json } from './command-line.js';

let world: World;
let shop: Shop;
let plan: string;
beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
  const monthly = {
    name: 'Monthly',
    interval_unit: 'MONTH',
    currency: 'EUR',
    prepay: true,
    total_amount: 30,
  };
  plan = idIn(await world.admin.made('/plans', monthly));
});
afterAll(() => world.stop());

const bill = (): Promise<unknown> => world.get(BillingProcessor).runDue(new Date());

const paymentsOf = (subscription: string): Promise<any[]> =>
  world.admin.read(`/subscriptions/${subscription}/payments`);

interface Coupon {
  readonly id: string;
  readonly code: string;
}

const coupon = (max_redemptions: number): Promise<Coupon> =>
  shop.coupon({ percent_off: 0.2, duration: 'FOREVER', max_redemptions });

/** How often the coupon was used, and how many of its redemptions are reserved. */
async function redemptions({ code }: Coupon): Promise<readonly [number, number]> {
  const found = await shop.database.collection('coupons').findOne({ code });
  return [found!['used_count'], found!['reservations'].length];
}

/** A subscription that has not started. */
async function created(buyer: Buyer): Promise<string> {
  return idIn(await world.admin.made('/subscriptions', { plan, user: buyer.id }));
}

const start = (id: string, buyer: Buyer, code?: string): Promise<any> =>
  world.admin.post(`/subscriptions/${id}/start`, { payment_method: buyer.card, coupon: code });

/** Bills until a subscription lists a payment, and returns its payments. */
function billed(id: string): Promise<any[]> {
  return eventually(
    async () => {
      await bill();
      return paymentsOf(id);
    },
    ({ length }) => length > 0,
    30_000,
  );
}

/** A subscription that was started with a coupon and charged after a backup. */
async function startedSince(buyer: Buyer, { code }: Coupon) {
  const id = await created(buyer);
  const restore = await backup(world);
  await start(id, buyer, code);
  const [charged] = await billed(id);
  return { id, charged, restore };
}

/** The findings of doctor; no worker runs here, so events wait for their place. */
async function findings(): Promise<unknown[]> {
  const { stdout } = await cli(['doctor', '--provider', '--json']);
  return JSON.parse(stdout).findings.filter(({ kind }: { kind: string }) => kind !== 'event.pending');
}

/** Writes lost payments back before billing goes on. */
async function repair(): Promise<void> {
  await json('billing:hold');
  await cli(['doctor', '--provider', '--fix', '--yes']);
  await json('billing:resume');
}

describe('After a restore', () => {
  it('a redemption that was reserved before the backup is counted once', async () => {
    const buyer = await shop.buyer();
    const one = await coupon(1);
    const id = await created(buyer);
    await start(id, buyer, one.code);
    expect(await redemptions(one)).toEqual([0, 1]);
    const restore = await backup(world);
    const [charged] = await billed(id);
    expect([charged.amount, charged.status, await redemptions(one)]).toEqual([24, 'SUCCEEDED', [1, 0]]);

    await restore();
    await repair();
    const [followed, ...others] = await billed(id);
    expect([followed._id, followed.amount, others]).toEqual([charged._id, 24, []]);
    expect(followed.breakdown.parts).toEqual(charged.breakdown.parts);
    expect(await redemptions(one)).toEqual([1, 0]);
    expect(await world.admin.read(`/subscriptions/${id}`)).toMatchObject({ coupon: one.code });
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, charges: 1 });
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('a subscription that is started again with its coupon redeems it once', async () => {
    const buyer = await shop.buyer();
    const one = await coupon(1);
    const { id, charged, restore } = await startedSince(buyer, one);
    expect([charged.amount, await redemptions(one)]).toEqual([24, [1, 0]]);

    await restore();
    await repair();
    expect((await start(id, buyer, one.code)).status).toBe(200);
    const [followed, ...others] = await billed(id);
    expect([followed._id, followed.amount, others]).toEqual([charged._id, 24, []]);
    expect(await redemptions(one)).toEqual([1, 0]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, charges: 1 });
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('a subscription that is started again without its coupon has redeemed it by the payment', async () => {
    const buyer = await shop.buyer();
    const one = await coupon(1);
    const { id, charged, restore } = await startedSince(buyer, one);

    await restore();
    await repair();
    expect(await redemptions(one)).toEqual([0, 1]);
    expect((await start(id, buyer)).status).toBe(200);
    expect(await redemptions(one)).toEqual([1, 0]);
    expect(await billed(id)).toMatchObject([{ _id: charged._id, amount: 24, status: 'SUCCEEDED' }]);
    expect(await redemptions(one)).toEqual([1, 0]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, charges: 1 });
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('the last redemption of a lost payment is not given to another subscription', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    const one = await coupon(1);
    const second = await created(other);
    const { id, charged, restore } = await startedSince(buyer, one);

    await restore();
    await repair();
    const refused = await start(second, other, one.code);
    expect([refused.status, refused.body.code]).toEqual([422, 'coupon.used_up']);
    expect((await start(id, buyer, one.code)).status).toBe(200);
    const [followed] = await billed(id);
    expect([followed._id, followed.amount, await redemptions(one)]).toEqual([charged._id, 24, [1, 0]]);
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('a payment is written back, too, where another subscription has taken its redemption since', async () => {
    const [buyer, other] = [await shop.buyer(), await shop.buyer()];
    const one = await coupon(1);
    const second = await created(other);
    const { id, charged, restore } = await startedSince(buyer, one);

    await restore();
    expect((await start(second, other, one.code)).status).toBe(200);
    expect(await findings()).toMatchObject([
      {
        kind: 'payment.lost',
        id: idIn(charged),
        detail: expect.stringContaining(`others have taken the last redemption of its coupon ${one.code}`),
      },
    ]);
    await repair();
    expect(await billed(second)).toMatchObject([{ amount: 24, status: 'SUCCEEDED' }]);
    const refused = await start(id, buyer, one.code);
    expect([refused.status, refused.body.code]).toEqual([422, 'coupon.already_redeemed']);
    await start(id, buyer);
    expect(await billed(id)).toMatchObject([{ _id: charged._id, amount: 24, status: 'SUCCEEDED' }]);
    // Both payments have its discount: one more than it allows.
    expect(await redemptions(one)).toEqual([2, 0]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, charges: 1 });
    expect(await findings()).toEqual([]);
  }, 120_000);

  it('an order counts the redemption of its lost payment, once', async () => {
    const buyer = await shop.buyer();
    const one = await coupon(1);
    const items = [{ product: await shop.product({ price: 30 }) }];
    const order = idIn(await world.admin.made('/orders', { items, user: buyer.id, coupon: one.code }));
    const restore = await backup(world);
    const pay = (): Promise<any> => world.admin.post(`/orders/${order}/pay`, { payment_method: buyer.card });
    expect((await pay()).body).toMatchObject({ status: 'PAID', amount: 24 });
    expect(await redemptions(one)).toEqual([1, 0]);

    await restore();
    expect(await redemptions(one)).toEqual([0, 0]);
    await repair();
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({ status: 'PAID', amount: 24 });
    expect(await redemptions(one)).toEqual([1, 0]);
    expect([(await pay()).status, await redemptions(one)]).toEqual([409, [1, 0]]);
    expect(await shop.ledger(buyer)).toMatchObject({ captured: 2400, charges: 1 });
    expect(await findings()).toEqual([]);
  }, 120_000);
});
