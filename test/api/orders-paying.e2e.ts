import { OrderStore } from '@commerce/orders';
import { PaymentStore } from '@commerce/payments';
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

const items = (): object[] => [{ product: tea }];

async function order({ client }: Buyer, values: object = {}): Promise<any> {
  return client.made('/orders', { items: items(), ...values });
}

const pay = (by: Buyer, one: any, body: object = { payment_method: by.card }): Promise<any> =>
  by.client.post(`/orders/${idIn(one)}/pay`, body);

const read = (one: any): Promise<any> => world.admin.read(`/orders/${idIn(one)}`);

describe('A card that is declined', () => {
  it('is answered with 402, the order and the payment; the order can be paid by another', async () => {
    const by = await shop.buyer('chargeDeclinedInsufficientFunds');
    const answer = await by.client.post('/orders', { items: items(), payment_method: by.card });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      402,
      expect.stringMatching(/^application\/problem\+json/),
    ]);
    expect(answer.body).toMatchObject({
      type: 'urn:problem:payment.declined',
      status: 402,
      code: 'payment.declined',
      decline_code: 'generic_decline',
      order: { status: 'PENDING_PAYMENT', payment: answer.body.payment._id },
      payment: { status: 'FAILED', amount: 20, attempts: [{ code: 'generic_decline', decline: null }] },
      errors: [],
    });
    expect(JSON.stringify(answer.body)).not.toContain('insufficient');
    const payment = await world.admin.read(`/payments/${idIn(answer.body.payment)}`);
    expect(payment.attempts).toMatchObject([{ code: 'insufficient_funds', decline: 'soft' }]);
    const seen = await by.client.read(`/payments/${idIn(answer.body.payment)}`);
    expect(seen.attempts).toMatchObject([{ code: 'generic_decline' }]);
    expect(Object.keys(answer.body.order)).not.toContain('coupon_id');
    expect(await read(answer.body.order)).toEqual(answer.body.order);

    const { client } = by;
    const good = idIn(await shop.card(client));
    const paid = await pay(by, answer.body.order, { payment_method: good });
    expect([paid.status, paid.body.status]).toEqual([200, 'PAID']);
    expect(paid.body.payments).toEqual([answer.body.payment._id]);
    expect(await shop.payment(paid.body)).toMatchObject({ status: 'SUCCEEDED', attempts: [{}, {}] });
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1 });
    expect(await shop.kinds(idIn(paid.body))).toEqual(['order.created', 'order.updated', 'order.updated']);
  });
});

describe('A customer who must authenticate', () => {
  it('gets 422 with the payment as body when present; confirm pays the order', async () => {
    const by = await shop.buyer('authenticationRequired');
    const answer = await by.client.post('/orders', { items: items(), payment_method: by.card });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      422,
      expect.stringMatching(/^application\/json/),
    ]);
    const payment = answer.body;
    expect(payment).toMatchObject({ _cls: 'Payment', status: 'REQUIRES_AUTH', amount: 20 });
    expect(payment.metadata).toEqual({
      payment_intent_id: expect.stringMatching(/^pi_/),
      payment_method_id: expect.stringMatching(/^pm_/),
      intent_client_secret: expect.stringMatching(/^pi_.*_secret_/),
    });
    const of = { _id: payment.order };
    expect(await read(of)).toMatchObject({ status: 'REQUIRES_AUTH', payment: payment._id });

    await shop.authenticates(payment);
    const confirmed = await shop.confirms(by, payment);
    expect([confirmed.status, confirmed.body.status]).toEqual([200, 'SUCCEEDED']);
    expect((await shop.confirms(by, payment)).body).toEqual(confirmed.body);
    expect(await read(of)).toMatchObject({ status: 'PAID' });
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1 });
    const told = await shop.events(payment.order.$oid);
    expect(told.map(({ previous_data }) => previous_data)).toEqual([
      {},
      { status: 'PENDING_PAYMENT' },
      { status: 'REQUIRES_AUTH' },
    ]);
    const events = await shop.events(payment._id.$oid);
    expect(events.map(({ kind, object }) => [kind, object.status])).toEqual([
      ['payment.created', 'CREATED'],
      ['payment.processing', 'PROCESSING'],
      ['payment.updated', 'REQUIRES_AUTH'],
      ['payment.succeeded', 'SUCCEEDED'],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/_secret_|\/pay\//);
  });

  it('is asked by an event when absent: an admin gets 200', async () => {
    const by = await shop.buyer('authenticationRequired');
    const body = { items: items(), user: by.id, payment_method: by.card };
    const answer = await world.admin.post('/orders', body);
    expect([answer.status, answer.body.status]).toEqual([200, 'REQUIRES_AUTH']);
    const told = await shop.events(answer.body.payment.$oid);
    const asked = told.filter(({ kind }) => kind === 'payment.requires_auth');
    expect(asked).toHaveLength(1);
    expect(asked[0]!.object.metadata.intent_client_secret).toMatch(/_secret_/);

    const there = await world.admin.post('/orders', { ...body, off_session: false });
    expect([there.status, there.body._cls]).toEqual([422, 'Payment']);
  });

  it('can pay with another card instead, after which the first takes nothing', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    const good = idIn(await shop.card(by.client));
    const paid = await pay(by, { _id: payment.order }, { payment_method: good });
    expect([paid.status, paid.body.status]).toEqual([200, 'PAID']);
    await shop.authenticates(payment);
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1 });
    expect((await shop.events(payment.order.$oid)).map(({ object }) => object.status)).toEqual([
      'PENDING_PAYMENT',
      'REQUIRES_AUTH',
      'PENDING_PAYMENT',
      'PAID',
    ]);
  });

  it('leaves a payable order after a failed authentication', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    await shop.authenticates(payment, 'decline');
    expect((await shop.confirms(by, payment)).body).toMatchObject({ status: 'FAILED' });
    expect(await read({ _id: payment.order })).toMatchObject({ status: 'PENDING_PAYMENT' });
    const again = await pay(by, { _id: payment.order });
    expect([again.status, again.body.status]).toEqual([422, 'REQUIRES_AUTH']);
    await shop.authenticates(again.body);
    expect((await shop.confirms(by, again.body)).body).toMatchObject({ status: 'SUCCEEDED' });
    expect(await read({ _id: payment.order })).toMatchObject({ status: 'PAID' });
  });
});

describe('A customer who never authenticates', () => {
  /** Expires the customer's time to authenticate. */
  async function isOver(of: any): Promise<void> {
    const _id = parseId(idIn(of))!;
    await shop.database.collection('orders').updateOne({ _id }, { $set: { auth_due: new Date(1) } });
  }

  const pending = (of: any): Promise<any> =>
    eventually(
      () => read(of),
      ({ status }) => status === 'PENDING_PAYMENT',
    );

  it('has seven days; then the payment has failed, its intent is cancelled, and the order can be paid again', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    const of = { _id: payment.order };
    const { auth_due } = await world.get(OrderStore).in(world.company).get(idIn(of));
    const week = 7 * 86_400_000;
    expect(auth_due!.getTime() - (await read(of)).updated.$date).toBe(week);

    await isOver(of);
    const waiting = await pending(of);
    expect(await shop.payment(waiting)).toMatchObject({
      status: 'FAILED',
      attempts: [{ status: 'FAILED', code: 'authentication.expired' }],
    });
    await eventually(
      () => world.get(PaymentStore).in(world.company).get(idIn(payment)),
      ({ check_at, cancel_intent }) => check_at === null && cancel_intent === null,
    );
    expect((await shop.confirmsBySecret(payment)).error.code).toBe('payment_intent_unexpected_state');
    expect((await shop.events(idIn(of))).map(({ kind, previous_data }) => [kind, previous_data])).toEqual([
      ['order.created', {}],
      ['order.updated', { status: 'PENDING_PAYMENT' }],
      ['order.updated', { status: 'REQUIRES_AUTH' }],
    ]);
    expect((await shop.kinds(idIn(payment))).slice(-2)).toEqual(['payment.updated', 'payment.failed']);

    const good = idIn(await shop.card(by.client));
    const paid = await pay(by, of, { payment_method: good });
    expect([paid.status, paid.body.status]).toEqual([200, 'PAID']);
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1 });
    expect(await world.get(OrderStore).in(world.company).get(idIn(of))).toMatchObject({ auth_due: null });
  });

  it('but did so unnoticed has paid: the money is counted', async () => {
    const by = await shop.buyer('authenticationRequired');
    const { body: payment } = await by.client.post('/orders', { items: items(), payment_method: by.card });
    const of = { _id: payment.order };
    await shop.authenticates(payment);
    await isOver(of);
    await eventually(
      () => read(of),
      ({ status }) => status === 'PAID',
    );
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1, refunded: 0 });
  });
});

describe('Paying', () => {
  it('needs a payment method that is complete and the customer’s own, before anything is written', async () => {
    const by = await shop.buyer();
    const empty = await by.client.made('/payment_methods', { payment_method: 'stripe' });
    const other = await shop.buyer();
    const waiting = await order(by);
    const count = (): Promise<number> => shop.database.collection('orders').countDocuments({});
    const before = await count();
    for (const [payment_method, code] of [
      [idIn(empty), 'payment_method.incomplete'],
      [other.card, 'payment_method.unknown'],
      ['0'.repeat(24), 'payment_method.unknown'],
    ] as const) {
      const made = await by.client.post('/orders', { items: items(), payment_method });
      expect([made.status, errorsIn(made.body)]).toEqual([422, { payment_method: code }]);
      const paid = await pay(by, waiting, { payment_method });
      expect([paid.status, errorsIn(paid.body)]).toEqual([422, { payment_method: code }]);
    }
    const none = await pay(by, waiting, {});
    expect([none.status, errorsIn(none.body)]).toEqual([422, { payment_method: 'payment_method.missing' }]);
    expect([await count(), await read(waiting)]).toEqual([before, waiting]);
  });

  it('happens once for concurrent requests', async () => {
    const by = await shop.buyer();
    const waiting = await order(by);
    const answers = await Promise.all(Array.from({ length: 8 }, () => pay(by, waiting)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body.code]).toEqual([409, 'order.state_conflict']);
    }
    expect(await shop.ledger(by)).toMatchObject({ captured: 2000, charges: 1 });
    const late = await pay(by, waiting);
    expect(late.body).toMatchObject({ code: 'order.state_conflict', current: 'PAID', allowed: [] });
  });

  it('and cancelling are refused while a payment is in progress', async () => {
    const by = await shop.buyer('fault_late_success');
    const started = await order(by, { payment_method: by.card });
    expect(started).toMatchObject({ status: 'PENDING_PAYMENT', payment: expect.any(Object) });
    for (const move of ['pay', 'cancel']) {
      const answer = await by.client.post(`/orders/${idIn(started)}/${move}`, {});
      expect([answer.status, answer.body.code, answer.body.allowed]).toEqual([
        409,
        'order.state_conflict',
        [],
      ]);
    }
  });

  it('an order of nothing needs no card', async () => {
    const by = await shop.buyer();
    const free = await shop.product({ price: 0 });
    const paid = await order(by, { items: [{ product: free }] });
    expect(paid).toMatchObject({ status: 'PAID', amount: 0 });
    expect(await shop.payment(paid)).toMatchObject({ status: 'SUCCEEDED', amount: 0, attempts: [] });
    expect(await shop.ledger(by)).toMatchObject({ charges: 0 });
    expect(await shop.kinds(idIn(paid))).toEqual(['order.created', 'order.updated']);
  });

  it("no card can be charged less than the provider's minimum", async () => {
    const by = await shop.buyer();
    const crumb = await shop.product({ price: 0.49 });
    const answer = await by.client.post('/orders', { items: [{ product: crumb }], payment_method: by.card });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code: 'amount.below_minimum', minimum: 0.5, currency: 'EUR' });
    const two = await order(by, { items: [{ product: crumb, quantity: 2 }], payment_method: by.card });
    expect(two).toMatchObject({ status: 'PAID', amount: 0.98 });
  });

  it('no card can be charged less than a minimum that only the provider knows', async () => {
    const by = await shop.buyer();
    const tea = await shop.product({ price: 10 });
    await shop.minimum(by, 1500);
    const refused = await by.client.post('/orders', { items: [{ product: tea }], payment_method: by.card });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: 'amount.below_minimum',
      currency: 'EUR',
      order: { status: 'PENDING_PAYMENT' },
      payment: { status: 'FAILED', attempts: [{ code: 'amount.below_minimum' }] },
    });
    // The order can be paid once the provider accepts the amount.
    await shop.minimum(by, null);
    const paid = await by.client.made(`/orders/${idIn(refused.body.order)}/pay`, {});
    expect(paid).toMatchObject({ status: 'PAID', amount: 10 });
    expect(await shop.ledger(by)).toMatchObject({ charges: 1, captured: 1000 });
  });
});
