import { OrderStore, CouponPlacesSweep } from '@commerce/orders';
import { CouponStore } from '@commerce/catalog';
import { PaymentStore, Settlement, type PaymentRecord } from '@commerce/payments';
import { parseId } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';

import { Shop, errorsIn, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let tea: string;

beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  tea = await shop.product({ price: 20 });
});
afterAll(() => world.stop());

const TENTH = { percent_off: 0.1 };
const DAY = 86_400_000;

const post = (by: Buyer, values: object): Promise<any> =>
  by.client.post('/orders', { items: [{ product: tea }], ...values });

/** Places an order that is paid by the buyer's card. */
const buy = (by: Buyer, coupon: string): Promise<any> => post(by, { coupon, payment_method: by.card });

const used = async (id: string): Promise<number> =>
  (await world.admin.read(`/coupons/${id}`)).used_count as number;

const places = async (id: string): Promise<number> =>
  (await world.get(CouponStore).in(world.company).get(id, { deleted: true })).reservations.length;

const read = (payment: any): Promise<any> => world.admin.read(`/orders/${payment.order.$oid}`);

/** Settles the failed authentication, as a process does that dies before its next step. */
async function failedWithoutMore(payment: any): Promise<PaymentRecord> {
  const stored = await world.get(PaymentStore).in(world.company).get(idIn(payment));
  const intent_id = stored.provider.intent_id;
  const why = {
    decline: 'soft',
    code: 'payment_intent_authentication_failure',
    message: 'Not authenticated',
  } as const;
  return world.get(Settlement).settle(stored, 1, { kind: 'failed', ...why, intent_id });
}

/** Expires the lease of the process that was to cancel the intent. */
async function cancellationIsDue(payment: any): Promise<void> {
  const _id = parseId(idIn(payment))!;
  const past = new Date(Date.now() - 1);
  await shop.database
    .collection('payments')
    .updateOne({ _id }, { $set: { check_at: past, 'cancel_check.at': past } });
}

/** Expires the half hour of an order's coupon reservation. */
async function halfAnHourLater(order: string): Promise<void> {
  const _id = parseId(order)!;
  await shop.database.collection('orders').updateOne({ _id }, { $set: { coupon_due: new Date(1) } });
}

describe('A coupon of an order', () => {
  it('is named by its code in any case, and counted once the order is paid', async () => {
    const by = await shop.buyer();
    const { id, code } = await shop.coupon({ ...TENTH, code: 'Summer' });
    const waiting = await post(by, { coupon: 'sUMMER' });
    expect(waiting.body).toMatchObject({ status: 'PENDING_PAYMENT', amount: 18, coupon: code });
    expect(waiting.body.items[0]).toMatchObject({ amount: 20, coupon: 2, total: 18 });
    expect([await used(id), await places(id)]).toEqual([0, 0]);
    const paid = await by.client.made(`/orders/${idIn(waiting.body)}/pay`, { payment_method: by.card });
    expect(paid.status).toBe('PAID');
    expect([await used(id), await places(id)]).toEqual([1, 0]);
    expect(await shop.ledger(by)).toMatchObject({ captured: 1800 });
  });

  it('may take off an amount, down to nothing', async () => {
    const by = await shop.buyer();
    const { id, code } = await shop.coupon({ amount_off: 50, currency: 'EUR', max_redemptions: 1 });
    const { body } = await post(by, { coupon: code });
    expect(body).toMatchObject({ status: 'PAID', amount: 0 });
    expect([await used(id), await places(id)]).toEqual([1, 0]);
    expect((await post(by, { coupon: code })).body.code).toBe('coupon.not_usable');
  });

  it('that cannot be used is refused to admins for a reason of its own, and no card is charged', async () => {
    const by = await shop.buyer();
    const now = Date.now();
    const off = await shop.coupon(TENTH);
    await shop.database
      .collection('coupons')
      .updateOne({ _id: parseId(off.id)! }, { $set: { active: false } });
    const deleted = await shop.coupon(TENTH);
    await world.admin.delete(`/coupons/${deleted.id}`);
    const spent = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    expect((await buy(by, spent.code)).status).toBe(200);
    const cases: Record<string, string> = {
      NOWHERE: 'coupon.unknown',
      [deleted.code]: 'coupon.unknown',
      [off.code]: 'coupon.inactive',
      [spent.code]: 'coupon.used_up',
      [(await shop.coupon({ ...TENTH, starting_date: now + DAY })).code]: 'coupon.not_started',
      [(await shop.coupon({ ...TENTH, starting_date: now - DAY, ending_date: now - 1 })).code]:
        'coupon.expired',
      [(await shop.coupon({ amount_off: 1, currency: 'USD' })).code]: 'coupon.currency_differs',
    };
    for (const [coupon, code] of Object.entries(cases)) {
      const asked = { items: [{ product: tea }], user: by.id, payment_method: by.card, coupon };
      const answer = await world.admin.post('/orders', asked);
      expect([answer.status, answer.body.code, errorsIn(answer.body)]).toEqual([422, code, { coupon: code }]);
    }
    expect(await shop.ledger(by)).toMatchObject({ charges: 1 });
  });

  it('is refused when it ended before an order that waited is paid', async () => {
    const by = await shop.buyer();
    const { id, code } = await shop.coupon(TENTH);
    const { body } = await post(by, { coupon: code });
    await world.admin.put(`/coupons/${id}`, { starting_date: 1e12, ending_date: Date.now() - 1 });
    const answer = await by.client.post(`/orders/${idIn(body)}/pay`, { payment_method: by.card });
    expect([answer.status, answer.body.code]).toEqual([422, 'coupon.expired']);
    expect(await world.admin.read(`/orders/${idIn(body)}`)).toMatchObject({ status: 'PENDING_PAYMENT' });
  });
});

describe('max_redemptions', () => {
  it('of 1: of two concurrent orders one is discounted and paid, and the card of the other is not charged', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const buyers = [await shop.buyer(), await shop.buyer()];
    const answers = await Promise.all(buyers.map((by) => buy(by, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422).body.code).toBe('coupon.not_usable');
    const ledgers = await Promise.all(buyers.map((by) => shop.ledger(by)));
    expect(ledgers.map(({ charges }) => charges).sort()).toEqual([0, 1]);
    expect(await used(id)).toBe(1);
  });

  it('of 3: of fifty concurrent orders three are discounted and paid', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 3 });
    const by = await shop.buyer();
    const answers = await Promise.all(Array.from({ length: 50 }, () => buy(by, code)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid.map(({ body }) => [body.status, body.amount])).toEqual(Array(3).fill(['PAID', 18]));
    expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set([undefined, 'coupon.not_usable']));
    expect([await used(id), await places(id)]).toEqual([3, 0]);
    expect(await shop.ledger(by)).toMatchObject({ captured: 5400, charges: 3 });
  });
});

describe('The place of an order among the redemptions', () => {
  it('is free again when the card is declined', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const poor = await shop.buyer('chargeDeclined');
    expect((await buy(poor, code)).status).toBe(402);
    expect([await used(id), await places(id)]).toEqual([0, 0]);
    expect((await buy(await shop.buyer(), code)).status).toBe(200);
    expect(await used(id)).toBe(1);
  });

  it('is held while the customer authenticates, and free again when the order is cancelled', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    expect(await places(id)).toBe(1);
    expect((await buy(await shop.buyer(), code)).body.code).toBe('coupon.not_usable');
    await slow.client.made(`/orders/${payment.order.$oid}/cancel`);
    await eventually(
      () => places(id),
      (held) => held === 0,
    );
    expect((await buy(await shop.buyer(), code)).status).toBe(200);
  });

  it('stays with its order when another card is taken, even after the coupon has ended', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(by, code);
    await world.admin.put(`/coupons/${id}`, { starting_date: 1e12, ending_date: Date.now() - 1 });
    const payment_method = idIn(await shop.card(by.client));
    const paid = await by.client.made(`/orders/${payment.order.$oid}/pay`, { payment_method });
    expect(paid).toMatchObject({ status: 'PAID', amount: 18 });
    expect([await used(id), await places(id)]).toEqual([1, 0]);
  });

  it('is free again after 30 minutes, and with it ends the payment that waits for its customer', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    const order = payment.order.$oid as string;
    const { coupon_due } = await world.get(OrderStore).in(world.company).get(order);
    expect(coupon_due!.getTime()).toBeGreaterThan(Date.now() + 29 * 60_000);
    expect(coupon_due!.getTime()).toBeLessThanOrEqual(Date.now() + 30 * 60_000);
    await halfAnHourLater(order);
    await eventually(
      () => places(id),
      (held) => held === 0,
    );
    expect(await world.admin.read(`/orders/${order}`)).toMatchObject({ status: 'PENDING_PAYMENT' });
    await shop.authenticates(payment);
    expect(await shop.ledger(slow)).toMatchObject({ charges: 0 });
    expect((await buy(await shop.buyer(), code)).status).toBe(200);
    const late = await slow.client.post(`/orders/${order}/pay`, { payment_method: slow.card });
    expect(late.body.code).toBe('coupon.used_up');
  });

  it('is free after a failed authentication once the client secret pays no more', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    await shop.authenticates(payment, 'decline');
    expect((await shop.confirms(slow, payment)).body).toMatchObject({ status: 'FAILED' });
    expect(await places(id)).toBe(0);
    const other = await shop.buyer();
    expect((await buy(other, code)).body).toMatchObject({ status: 'PAID', amount: 18 });

    expect((await shop.confirmsBySecret(payment)).error.code).toBe('payment_intent_unexpected_state');
    await shop.authenticates(payment);
    await shop.confirms(slow, payment);
    expect(await shop.ledger(slow)).toMatchObject({ charges: 0 });
    expect(await read(payment)).toMatchObject({ status: 'PENDING_PAYMENT' });
    expect(await used(id)).toBe(1);
    const again = await slow.client.post(`/orders/${payment.order.$oid}/pay`, { payment_method: slow.card });
    expect([again.status, again.body.code]).toEqual([422, 'coupon.used_up']);
  });

  it('is held until the provider confirms the cancellation; a payment in the meantime is counted', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    await shop.authenticates(payment, 'decline');
    // The process died right after its commit and has cancelled nothing yet.
    const failed = await failedWithoutMore(payment);
    expect(failed).toMatchObject({ status: 'FAILED', cancel_intent: payment.metadata.payment_intent_id });
    await halfAnHourLater(payment.order.$oid);
    await world.get(CouponPlacesSweep).sweep();
    expect(await places(id)).toBe(1);
    expect((await buy(await shop.buyer(), code)).body.code).toBe('coupon.not_usable');

    await shop.confirmsBySecret(payment);
    await shop.authenticates(payment);
    await cancellationIsDue(payment);
    const paid = await eventually(
      () => read(payment),
      ({ status }) => status === 'PAID',
    );
    expect(paid).toMatchObject({ amount: 18 });
    expect([await used(id), await places(id)]).toEqual([1, 0]);
    expect(await shop.ledger(slow)).toMatchObject({ captured: 1800, charges: 1 });
  });

  it('is freed by the next sweep when the process died before it could cancel', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    await shop.authenticates(payment, 'decline');
    await failedWithoutMore(payment);
    await cancellationIsDue(payment);
    await eventually(
      () => places(id),
      (held) => held === 0,
    );
    expect((await shop.confirmsBySecret(payment)).error.code).toBe('payment_intent_unexpected_state');
    expect((await buy(await shop.buyer(), code)).status).toBe(200);
  });

  it('stays with an order that is paid again while its intent is being cancelled, which takes no more', async () => {
    const { id, code } = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, code);
    await shop.authenticates(payment, 'decline');
    await failedWithoutMore(payment);
    const payment_method = idIn(await shop.card(slow.client));
    const paid = await slow.client.made(`/orders/${payment.order.$oid}/pay`, { payment_method });
    expect(paid).toMatchObject({ status: 'PAID', payments: [payment._id] });
    expect((await shop.confirmsBySecret(payment)).error.code).toBe('payment_intent_unexpected_state');
    expect(await shop.ledger(slow)).toMatchObject({ captured: 1800, charges: 1 });
    expect([await used(id), await places(id)]).toEqual([1, 0]);
  });

  it('is kept after 30 minutes when no other order can want it, and while the money is on its way', async () => {
    const endless = await shop.coupon(TENTH);
    const slow = await shop.buyer('authenticationRequired');
    const { body: payment } = await buy(slow, endless.code);
    await halfAnHourLater(payment.order.$oid);
    const bounded = await shop.coupon({ ...TENTH, max_redemptions: 1 });
    const { body: onItsWay } = await buy(await shop.buyer('fault_late_success'), bounded.code);
    await halfAnHourLater(idIn(onItsWay));
    await world.get(CouponPlacesSweep).sweep();
    expect([await places(endless.id), await places(bounded.id)]).toEqual([1, 1]);
    await shop.authenticates(payment);
    await shop.confirms(slow, payment);
    expect([await used(endless.id), await places(endless.id)]).toEqual([1, 0]);
  });
});
