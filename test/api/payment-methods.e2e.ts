import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
let user: Awaited<ReturnType<World['user']>>;

beforeAll(async () => {
  world = await World.start({ worker: false });
  user = await world.user();
});
afterAll(() => world.stop());

const STRIPE = { payment_method: 'stripe' };

async function card(client: Client = user.client, name = 'pm_card_visa'): Promise<any> {
  const made = await client.made('/payment_methods', STRIPE);
  const filled = await client.put(`/payment_methods/${idIn(made)}`, { payment_method_id: name });
  expect(filled.status).toBe(200);
  return filled.body;
}

describe('POST /payment_methods', () => {
  it('replies with an empty payment method and the secret to fill it', async () => {
    const made = await user.client.made('/payment_methods', { payment_method: 'Stripe' });
    expect(made).toMatchObject({
      _cls: 'PaymentMethod',
      user: { $oid: user.id },
      payment_method: 'stripe',
      status: 'CREATED',
      payment_method_id: null,
      brand: null,
      last4: null,
      default: false,
      deleted: false,
      setup_intent: { client_secret: expect.stringMatching(/^seti_\w+_secret_\w+$/) },
    });
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['setup_secret', 'created_by', 'sys']));
  });

  it('is for a user that an admin must name', async () => {
    const refused = await world.admin.post('/payment_methods', STRIPE);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'user' })]);
    const made = await world.admin.made('/payment_methods', { ...STRIPE, user: user.id });
    expect(made.user).toEqual({ $oid: user.id });
  });

  it('is for no user but the caller', async () => {
    const other = await world.user();
    const refused = await user.client.post('/payment_methods', { ...STRIPE, user: other.id });
    expect(refused.status).toBe(422);
    expect((await user.client.post('/payment_methods', { ...STRIPE, user: user.id })).status).toBe(200);
  });

  it.each([
    [{}, 'payment_method'],
    [{ payment_method: 'cash' }, 'payment_method'],
    [{ payment_method: 5 }, 'payment_method'],
    [{ ...STRIPE, status: 'ACTIVE' }, 'status'],
    [{ ...STRIPE, company: '0123456789abcdef01234567' }, 'company'],
  ])('refuses %j', async (body, path) => {
    const refused = await user.client.post('/payment_methods', body);
    expect(refused.status).toBe(422);
    expect(refused.body.errors).toEqual([expect.objectContaining({ path })]);
  });

  it("does not know a user of another company, nor one that isn't there", async () => {
    const stranger = await world.stranger();
    for (const id of [user.id, '0123456789abcdef01234567']) {
      const refused = await stranger.admin.post('/payment_methods', { ...STRIPE, user: id });
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ code: 'user.unknown', errors: [{ path: 'user' }] });
    }
  });
});

describe('PUT /payment_methods/<id>', () => {
  it("fills it with the provider's data", async () => {
    const filled = await card();
    expect(filled).toMatchObject({
      status: 'ACTIVE',
      payment_method_id: expect.stringMatching(/^pm_/),
      customer_id: expect.stringMatching(/^cus_/),
      type: 'card',
      brand: 'visa',
      last4: '4242',
      exp_month: expect.any(Number),
      exp_year: expect.any(Number),
      setup_intent: null,
    });
  });

  it('twice with the same card gives the same', async () => {
    const filled = await card();
    const again = await user.client.put(`/payment_methods/${idIn(filled)}`, {
      payment_method_id: filled.payment_method_id,
    });
    expect(again.body).toEqual(filled);
  });

  it('refuses a card that is not there', async () => {
    const made = await user.client.made('/payment_methods', STRIPE);
    const refused = await user.client.put(`/payment_methods/${idIn(made)}`, { payment_method_id: 'pm_none' });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({
      code: 'payment_method.unknown',
      errors: [{ path: 'payment_method_id' }],
    });
  });

  it('keeps one first choice of a user', async () => {
    const { client } = await world.user();
    const first = await card(client);
    const second = await card(client, 'pm_card_mastercard');
    expect([first.default, second.default]).toEqual([true, false]);
    await client.put(`/payment_methods/${idIn(second)}`, { default: true });
    const list = await client.read('/payment_methods', { sort: 'created' });
    expect(list.map((one: any) => one.default)).toEqual([false, true]);
  });

  it('is for its user and admins', async () => {
    const filled = await card();
    const other = await world.user();
    const stranger = await world.stranger();
    for (const client of [other.client, stranger.admin]) {
      expect((await client.get(`/payment_methods/${idIn(filled)}`)).status).toBe(404);
      expect((await client.put(`/payment_methods/${idIn(filled)}`, { default: true })).status).toBe(404);
      expect((await client.delete(`/payment_methods/${idIn(filled)}`)).status).toBe(404);
    }
    expect((await world.admin.get(`/payment_methods/${idIn(filled)}`)).status).toBe(200);
  });
});

describe('GET /payment_methods', () => {
  it("lists a user's own, an admin's all, without secrets", async () => {
    const own = await world.user();
    await card(own.client);
    await own.client.made('/payment_methods', STRIPE);
    const mine = await own.client.get('/payment_methods', { total: true });
    expect(mine.headers['x-total-count']).toBe('2');
    expect(mine.body).toHaveLength(2);
    expect(JSON.stringify(mine.body)).not.toContain('_secret_');
    const all = await world.admin.get('/payment_methods', { size: 1, total: true });
    expect(Number(all.headers['x-total-count'])).toBeGreaterThan(2);
    expect((await world.admin.read('/payment_methods', { user: own.id })).length).toBe(2);
    expect(await user.client.read('/payment_methods', { user: own.id })).toEqual([]);
  });
});

describe('DELETE /payment_methods/<id>', () => {
  it('flags it; an admin still sees it', async () => {
    const filled = await card();
    const path = `/payment_methods/${idIn(filled)}`;
    expect((await user.client.delete(path)).body).toMatchObject({ deleted: true });
    expect((await user.client.get(path)).status).toBe(404);
    expect((await user.client.put(path, { default: true })).status).toBe(404);
    expect((await world.admin.get(path)).body).toMatchObject({ deleted: true });
  });

  it('refuses a replacement that has no card yet, is itself, or is not of the user', async () => {
    const filled = await card();
    const path = `/payment_methods/${idIn(filled)}`;
    const refusals: [unknown, string][] = [
      [idIn(await user.client.made('/payment_methods', STRIPE)), 'payment_method.incomplete'],
      [idIn(filled), 'payment_method.unknown'],
      [idIn(await card((await world.user()).client)), 'payment_method.unknown'],
      ['nonsense', 'value.invalid'],
    ];
    for (const [replacement, code] of refusals) {
      const refused = await user.client.delete(`${path}?replacement=${String(replacement)}`);
      expect([refused.status, refused.body.code]).toEqual([422, code]);
      expect(refused.body.errors).toEqual([expect.objectContaining({ path: 'replacement' })]);
    }
    expect((await user.client.get(path)).body).toMatchObject({ deleted: false });
  });
});

describe('a card provider that is unreachable', () => {
  it('is reported as 503', async () => {
    const made = await user.client.made('/payment_methods', STRIPE);
    await world.sandbox.close();
    const refused = await user.client.put(`/payment_methods/${idIn(made)}`, {
      payment_method_id: 'pm_card_visa',
    });
    expect(refused.status).toBe(503);
    expect(refused.body.code).toBe('provider.unavailable');
  });
});
