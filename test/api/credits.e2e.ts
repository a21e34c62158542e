import { newId } from '@commerce/records';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { Payers, at } from './payers.js';

let world: World;

beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const credits = (id: string): string => `/users/${id}/credits`;

describe('POST /users/<id>/credits', () => {
  it('adds to the balance of one currency, which the user shows', async () => {
    const { id, client } = await world.user();
    expect(await client.read(`/users/${id}`)).toMatchObject({ balance: {} });
    const made = await world.admin.made(credits(id), { amount: 12.5, currency: 'eur', note: 'sorry' });
    expect(made).toMatchObject({
      ...{
        _cls: 'Credit',
        user: { $oid: id },
        amount: 12.5,
        currency: 'EUR',
        kind: 'granted',
        balance: 12.5,
      },
      ...{ note: 'sorry', payment: null, subscription: null },
    });
    await world.admin.made(credits(id), { amount: 700, currency: 'JPY' });
    expect(await client.read(`/users/${id}`)).toMatchObject({ balance: { EUR: 12.5, JPY: 700 } });
    const [listed] = await world.admin.read('/users', { size: 1 });
    expect(listed.balance).toEqual({ EUR: 12.5, JPY: 700 });
  });

  it('takes back, never more than there is', async () => {
    const { id } = await world.user();
    await world.admin.made(credits(id), { amount: 5, currency: 'EUR' });
    const refused = await world.admin.post(credits(id), { amount: -5.01, currency: 'EUR' });
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'balance.too_small', balance: 5 }]);
    expect((await world.admin.post(credits(id), { amount: -1, currency: 'USD' })).status).toBe(422);
    const back = await world.admin.made(credits(id), { amount: -5, currency: 'EUR' });
    expect(back).toMatchObject({ kind: 'taken_back', balance: 0 });
    expect(await world.admin.read(`/users/${id}`)).toMatchObject({ balance: {} });
  });

  it.each([
    [{ amount: 0, currency: 'EUR' }, 'value.invalid'],
    [{ amount: 0.001, currency: 'EUR' }, 'amount.too_precise'],
    [{ amount: 1, currency: 'XXQ' }, 'currency.unknown'],
    [{ amount: 1 }, 'value.invalid'],
    [{ amount: 1, currency: 'EUR', balance: 5 }, 'field.unknown'],
  ])('refuses %j', async (body, code) => {
    const { id } = await world.user();
    const { status, body: problem } = await world.admin.post(credits(id), body);
    expect([status, problem.errors[0].code]).toEqual([422, code]);
  });

  it('is for admins of the company, and for users that are not deleted', async () => {
    const { id, client } = await world.user();
    const body = { amount: 1, currency: 'EUR' };
    expect((await client.post(credits(id), body)).status).toBe(403);
    const stranger = await world.stranger();
    expect((await stranger.admin.post(credits(id), body)).status).toBe(404);
    expect((await stranger.admin.get(credits(id))).status).toBe(404);
    await world.admin.delete(`/users/${id}`);
    expect((await world.admin.post(credits(id), body)).status).toBe(404);
  });

  it('takes effect once under an Idempotency-Key', async () => {
    const { id } = await world.user();
    const body = { amount: 3, currency: 'EUR' };
    const keyed = world.admin.with({ 'Idempotency-Key': `credit-${id}` });
    const [one, two] = [await keyed.post(credits(id), body), await keyed.post(credits(id), body)];
    expect(two.body).toEqual(one.body);
    expect(await world.admin.read(`/users/${id}`)).toMatchObject({ balance: { EUR: 3 } });
  });

  it('is exact when twenty take back at once what suffices for three', async () => {
    const { id } = await world.user();
    await world.admin.made(credits(id), { amount: 3.5, currency: 'EUR' });
    const all = await Promise.all(
      Array.from({ length: 20 }, () => world.admin.post(credits(id), { amount: -1, currency: 'EUR' })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(17).fill(422)]);
    const ledger = await world.admin.read(credits(id), { sort: 'number' });
    expect(ledger.map(({ balance }: any) => balance)).toEqual([3.5, 2.5, 1.5, 0.5]);
    expect(await world.admin.read(`/users/${id}`)).toMatchObject({ balance: { EUR: 0.5 } });
  });

  it('is reported by user.updated with the balance before', async () => {
    const { id } = await world.user();
    await world.admin.made(credits(id), { amount: 2, currency: 'EUR' });
    await world.admin.made(credits(id), { amount: 1, currency: 'EUR' });
    const events = (await new Shop(world).events(id)).filter(({ kind }) => kind === 'user.updated');
    expect(events.map(({ object, previous_data }) => [previous_data.balance, object.balance])).toEqual([
      [{}, { EUR: 2 }],
      [{ EUR: 2 }, { EUR: 3 }],
    ]);
  });
});

describe('GET /users/<id>/credits', () => {
  it('lists the entries of a time', async () => {
    const { id } = await world.user();
    const { created } = await world.admin.made(credits(id), { amount: 5, currency: 'EUR' });
    const from = async (from_date: number): Promise<number> =>
      (await world.admin.read(credits(id), { from_date })).length;
    expect([await from(created.$date), await from(Number(created.$date) + 1)]).toEqual([1, 0]);
  });

  it('lists the ledger of the user, the newest first, page by page', async () => {
    const [own, other] = [await world.user(), await world.user()];
    for (const amount of [1, 2, 3]) await world.admin.made(credits(own.id), { amount, currency: 'EUR' });
    await world.admin.made(credits(other.id), { amount: 9, currency: 'EUR' });
    const first = await own.client.get(credits(own.id), { size: 2, total: true });
    expect(first.body.map(({ amount }: any) => amount)).toEqual([3, 2]);
    expect(first.headers['x-total-count']).toBe('3');
    const [last] = await own.client.read(credits(own.id), { size: 2, page: 1 });
    expect(last).toMatchObject({ amount: 1, balance: 1 });
    expect((await own.client.get(credits(other.id))).status).toBe(404);
  });
});

describe('POST /payments/<id>/refunds with to: balance', () => {
  it('adds to the balance immediately, without the provider, up to what is left', async () => {
    const payers = new Payers(world);
    const by = await payers.payer();
    const payment = await payers.charged(by);
    const partly = await world.admin.made(`${at(payment)}/refunds`, { amount: 30, to: 'balance' });
    expect(partly).toMatchObject({ status: 'PARTIALLY_REFUNDED', refunded_amount: 30 });
    expect(partly.refunds).toMatchObject([{ to: 'balance', status: 'SUCCEEDED', provider_refund_id: null }]);
    const tooMuch = await world.admin.post(`${at(payment)}/refunds`, { amount: 70.01 });
    expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'refund.too_large']);
    const whole = await world.admin.made(`${at(payment)}/refunds`, {});
    expect(whole).toMatchObject({ status: 'REFUNDED', refunded_amount: 100 });
    expect(whole.refunds).toMatchObject([{ to: 'balance' }, { to: 'card', amount: 70, status: 'SUCCEEDED' }]);
    const [entry] = await by.client.read(credits(by.id));
    expect(entry).toMatchObject({ kind: 'refunded', amount: 30, balance: 30, payment: whole._id });
    const there = await payers.stripe.refunds.list({ payment_intent: payment.provider.intent_id! });
    expect(there.data.map(({ amount }) => amount)).toEqual([7000]);
  });
});

describe('a payment without a usable card', () => {
  it.each([
    [100, { amount: 0, credit_applied: 100, status: 'SUCCEEDED' }, {}],
    [99, { amount: 100, credit_applied: 0, status: 'FAILED' }, { EUR: 99 }],
  ])('of 100.00 and a balance of %d.00 takes all of it, or none', async (amount, expected, balance) => {
    const payers = new Payers(world);
    const by = await payers.payer();
    await world.admin.made(credits(by.id), { amount, currency: 'EUR' });
    const owed = {
      kind: 'period',
      period_key: String(amount),
      subscription: newId(),
      payment_method: null,
    } as const;
    expect(await payers.opened(by, owed)).toMatchObject(expected);
    expect(await by.client.read(`/users/${by.id}`)).toMatchObject({ balance });
  });
});
