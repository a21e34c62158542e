import { newId } from '@commerce/records';
import { idIn } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
});
afterAll(() => world.stop());

const found = async (query: string): Promise<string[]> =>
  (await world.admin.read('/search', { query })).results.map(
    (one: { object_type: string; _id: { $oid: string } }) => `${one.object_type} ${one._id.$oid}`,
  );

describe('GET /search', () => {
  it('finds a user by each word of name, e-mail and reference, in any case and without accents', async () => {
    const { id } = await world.user({
      name: 'Joséphine de Beauharnais-Bonaparte',
      email: 'Jo.Beau@Palace.example.com',
      external_reference: 'CRM-4711',
    });
    const queries = ['josephine', 'JOSÉPH', 'bona', 'beauharnais jos', 'jo.beau@palace', 'palace.ex', '4711'];
    for (const query of queries) expect([query, await found(query)]).toEqual([query, [`user ${id}`]]);
    expect(await found('osephine')).toEqual([]);
    expect(await found('josephine hopper')).toEqual([]);
  });

  it('follows changes, and leaves out deleted users', async () => {
    const { id } = await world.user({ name: 'Zelda Quark' });
    await world.admin.put(`/users/${id}`, { name: 'Yara Quark' });
    expect([await found('zelda'), await found('quark ya')]).toEqual([[], [`user ${id}`]]);
    await world.admin.delete(`/users/${id}`);
    expect(await found('quark')).toEqual([]);
  });

  it('finds every kind by its id, and by its short id where it has one', async () => {
    const buyer = await shop.buyer();
    const plan = await world.admin.made('/plans', {
      ...{ name: 'Winter box', interval_unit: 'MONTH', currency: 'EUR', total_amount: 30, prepay: true },
    });
    const subscription = await world.admin.made('/subscriptions', { plan: idIn(plan), user: buyer.id });
    const product = await world.admin.made('/products', {
      ...{ name: 'Kettle', price: 10, currency: 'EUR', active: true },
    });
    const order = await world.admin.made('/orders', {
      ...{ user: buyer.id, items: [{ product: idIn(product) }], payment_method: buyer.card },
    });
    const coupon = await world.admin.made('/coupons', { code: 'FROST', percent_off: 0.1 });
    const { id: webhook } = await world.listening('user.created', '/snowfall');
    const payment = order.payment.$oid as string;
    const { provider } = await world.admin.read(`/payments/${payment}`);
    const meant = [
      ['plan', plan],
      ['subscription', subscription],
      ['order', order],
      ['product', product],
    ] as const;
    for (const [kind, record] of meant) {
      const one = [`${kind} ${idIn(record)}`];
      expect([await found(idIn(record)), await found(record.human_id.toLowerCase())]).toEqual([one, one]);
    }
    expect(await found(buyer.id)).toEqual([`user ${buyer.id}`]);
    expect(await found(payment)).toEqual([`payment ${payment}`]);
    expect(await found(provider.charge_id)).toEqual([`payment ${payment}`]);
    expect(await found('frost')).toEqual([`coupon ${idIn(coupon)}`]);
    expect(await found('snowfall')).toEqual([`webhook ${webhook}`]);
    expect(await found(webhook)).toEqual([`webhook ${webhook}`]);
    expect(await found('winter')).toEqual([`plan ${idIn(plan)}`]);
    expect(await found('ettl')).toEqual([`product ${idIn(product)}`]);
    const {
      results: [hit],
    } = await world.admin.read('/search', { query: idIn(order) });
    expect(hit).toMatchObject({
      user: { $oid: buyer.id },
      status: 'PAID',
      amount: 10,
      currency: 'EUR',
      name: null,
    });
  });

  it('answers with six of each kind at most, the newest first', async () => {
    const ids = [];
    for (let made = 0; made < 8; made += 1)
      ids.push((await world.user({ name: `Tessellate ${String(made)}` })).id);
    const all = await found('tessellate');
    expect(all).toHaveLength(6);
    expect(ids.map((id) => `user ${id}`)).toEqual(expect.arrayContaining(all));
  });

  it("never finds another company's, by no text", async () => {
    const stranger = await world.stranger();
    const theirs = await stranger.admin.made('/users', {
      name: 'Octavia Foreign',
      email: 'octavia@example.net',
    });
    const product = await stranger.admin.made('/products', {
      name: 'Octavian lamp',
      price: 1,
      currency: 'EUR',
    });
    for (const query of ['octavia', 'octavia@example.net', idIn(theirs), theirs.human_id, idIn(product)])
      expect([query, await found(query)]).toEqual([query, []]);
  });

  it.each(['$where', '.*', '{"$gt":""}', 'a b c d e f', '\u{1F600}\u{1F600}', "'; drop"])(
    'takes %s as a text',
    async (query) => {
      expect(await found(query)).toEqual([]);
    },
  );

  it('is for admins, and refuses what is too short or too long', async () => {
    const { client } = await world.user();
    expect((await client.get('/search', { query: 'ada' })).status).toBe(403);
    for (const query of ['a', 'x'.repeat(129)]) {
      const { status, body } = await world.admin.get('/search', { query });
      expect([status, body.errors[0].path]).toEqual([422, 'query']);
    }
    expect((await world.admin.get('/search')).status).toBe(422);
    expect(await found(newId().toHexString())).toEqual([]);
  });
});
