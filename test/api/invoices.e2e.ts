import { toMinor } from '@commerce/kernel';
import { eventually, idIn, type Client } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';

const SELLER = {
  name: 'Teehaus GmbH',
  address: { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'de' },
  vat_id: 'DE136695976',
  email: 'books@teehaus.example.com',
  locale: 'de',
  invoice_prefix: 'R',
};

let world: World;
let shop: Shop;
beforeAll(async () => {
  world = await World.start();
  shop = new Shop(world);
  await world.admin.changed('/company', { seller: SELLER });
});
afterAll(() => world.stop());

/** The documents of a payment, the oldest first, once there are so many. */
async function documentsOf(payment: string, count = 1, admin: Client = world.admin): Promise<any[]> {
  return eventually(
    () => admin.read('/invoices', { payment, sort: 'created' }),
    (found: any[]) => found.length >= count,
    20_000,
  );
}

/** The number behind the year. */
const place = ({ number }: any): number => Number(number.slice(-6));

describe('The invoice of an order', () => {
  it('freezes what was bought, by whom and from whom, with the amounts of the payment', async () => {
    const buyer = await shop.buyer();
    const address = { line1: 'Lindenweg 7', city: 'Hamburg', country: 'DE' };
    await buyer.client.changed(`/users/${buyer.id}`, { billing: { company: 'Ada & Co', address } });
    const tea = await shop.product({ price: 10.7, vat: 0.07 });
    const cup = await shop.subProduct([tea], { price: 11.9, vat: 0.19 });
    const items = [{ product: tea, quantity: 2, sub_products: [cup] }];
    const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
    const [invoice] = await documentsOf(order.payment.$oid);
    expect(invoice).toMatchObject({
      ...{ _cls: 'Invoice', kind: 'invoice', user: { $oid: buyer.id }, payment: order.payment },
      ...{
        subscription: null,
        refund: null,
        preceding: null,
        currency: 'EUR',
        net: 40,
        tax: 5.2,
        gross: 45.2,
      },
    });
    const { content } = invoice;
    expect(content).toMatchObject({
      ...{ kind: 'invoice', number: invoice.number, locale: 'de', currency: 'EUR', prices: 'inclusive' },
      seller: { name: 'Teehaus GmbH', address: { country: 'DE' }, vat_id: 'DE136695976', logo: null },
      buyer: { id: buyer.id, name: null, company: 'Ada & Co', address: { city: 'Hamburg', region: null } },
      totals: { net: 40, tax: 5.2, gross: 45.2 },
      ...{ credit_applied: 0, paid: 45.2, service_period: null, preceding: null },
      subject: { kind: 'order', id: idIn(order), human_id: order.human_id },
      payment: { id: order.payment.$oid, method: 'card', refund: null },
    });
    expect(content.taxes).toMatchObject([
      { category: 'S', rate: 0.07, reason: null, net: 20, tax: 1.4, gross: 21.4 },
      { category: 'S', rate: 0.19, reason: null, net: 20, tax: 3.8, gross: 23.8 },
    ]);
    expect(content.lines).toMatchObject([
      { description: 'Tea', quantity: 2, unit_price: 10.7, subtotal: 20, discount: 0, net: 20, tax: 1.4 },
      { description: 'Cup', quantity: 2, unit_price: 11.9, subtotal: 20, discount: 0, net: 20, tax: 3.8 },
    ]);
    await buyer.client.changed(`/users/${buyer.id}`, { billing: null });
    expect(await buyer.client.read(`/invoices/${idIn(invoice)}`)).toEqual(invoice);
  });

  it('is followed by a credit note for each refund, which together give back the invoice', async () => {
    const buyer = await shop.buyer();
    const product = await shop.product({ price: 10.01, vat: 0.19 });
    const items = [{ product, quantity: 1 }];
    const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
    const payment = order.payment.$oid;
    await documentsOf(payment);
    await world.admin.made(`/payments/${payment}/refunds`, { amount: 3.33 });
    const [, first] = await documentsOf(payment, 2);
    await world.admin.made(`/payments/${payment}/refunds`, { to: 'balance' });
    const [invoice, , second] = await documentsOf(payment, 3);
    expect([first, second].map(({ kind, gross, preceding }) => [kind, gross, preceding])).toEqual([
      ['credit_note', 3.33, invoice._id],
      ['credit_note', 6.68, invoice._id],
    ]);
    expect(first.content).toMatchObject({
      preceding: { number: invoice.number, issue_date: invoice.content.issue_date },
      ...{ paid: 3.33, credit_applied: 0 },
      lines: [{ description: 'Tea', reason: 'refund', quantity: 1, unit_price: 3.33, gross: 3.33 }],
    });
    expect(second.content).toMatchObject({ paid: 0, credit_applied: 6.68, payment: { method: 'balance' } });
    const sum = (field: 'net' | 'tax'): number =>
      toMinor(first[field], 'EUR') + toMinor(second[field], 'EUR');
    expect(sum('net')).toBe(toMinor(invoice.net, 'EUR'));
    expect(sum('tax')).toBe(toMinor(invoice.tax, 'EUR'));
    expect(first.number).toMatch(/^RCN\d{4}-\d{6}$/);
    expect(place(second)).toBe(place(first) + 1);
  });
});

describe('The invoice of one of many payments', () => {
  it('is made while further payments go on succeeding', async () => {
    const { admin } = await world.stranger();
    await admin.changed('/company', { seller: SELLER });
    const user = idIn(await admin.made('/users', { name: 'Ada' }));
    const method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await admin.changed(`/payment_methods/${method}`, { payment_method_id: 'pm_card_visa' });
    const tea = { name: 'Tea', price: 5, currency: 'EUR', active: true, vat: 0.19 };
    const items = [{ product: idIn(await admin.made('/products', tea)) }];
    const since = performance.now();
    const payments: string[] = [];
    let made: any[] = [];
    while (made.length === 0 && performance.now() - since < 20_000) {
      const { payment } = await admin.made('/orders', { items, user, payment_method: method });
      payments.push(payment.$oid);
      made = await admin.read('/invoices', { sort: 'created' });
    }
    // The first documents are made together, in the order of success.
    expect(made.length).toBeGreaterThan(1);
    expect(made.map(({ payment }) => payment.$oid)).toEqual(payments.slice(0, made.length));
  });
});

describe('The invoice of a subscription', () => {
  it('names the period, the discount and the part that the balance paid', async () => {
    const buyer = await shop.buyer();
    await world.admin.made(`/users/${buyer.id}/credits`, { amount: 5, currency: 'EUR' });
    const product = await shop.product({ name: 'Seat', price: 11.9, vat: 0.19 });
    const body = { name: 'Monthly', interval_unit: 'MONTH', prepay: true, currency: 'EUR', setup_fee: 2.38 };
    const plan = idIn(await world.admin.made('/plans', { ...body, items: [{ product, quantity: 1 }] }));
    const { code } = await world.admin.made('/coupons', { name: 'Half', percent_off: 0.5 });
    const started = await buyer.client.made('/subscriptions', {
      ...{ plan, quantity: 3, coupon: code, payment_method: buyer.card, start_now: true },
    });
    const [payment] = await eventually(
      () => world.admin.read('/payments', { user: buyer.id }),
      ([first]: any[]) => first?.status === 'SUCCEEDED',
      20_000,
    );
    const [invoice] = await documentsOf(idIn(payment));
    const { content } = invoice;
    expect(content.lines).toMatchObject([
      { description: 'Seat', reason: 'setup_fee', quantity: 1, unit_price: null, net: 2, tax: 0.38 },
      {
        ...{ description: 'Seat', reason: null, quantity: 3, unit_price: 11.9 },
        ...{ subtotal: 30, discount: 15, net: 15, tax: 2.85, gross: 17.85 },
      },
    ]);
    const { totals, credit_applied, paid, subject, payment: means } = content;
    expect([totals.gross, credit_applied, paid, means.method]).toEqual([20.23, 5, 15.23, 'card_and_balance']);
    expect(subject).toEqual({ kind: 'subscription', id: idIn(started), human_id: started.human_id });
    expect(content.service_period.start).toBe(content.issue_date);
    expect(invoice.subscription).toEqual({ $oid: idIn(started) });
    expect(await buyer.client.read('/invoices', { subscription: idIn(started) })).toEqual([invoice]);
    const { client } = await world.user();
    expect(await client.read('/invoices', { subscription: idIn(started) })).toEqual([]);
  });
});

describe('GET /invoices', () => {
  it('lists, filters and pages as other lists do, to each user its own', async () => {
    const [one, two] = [await shop.buyer(), await shop.buyer()];
    const items = [{ product: await shop.product(), quantity: 1 }];
    for (const { client, card } of [one, two]) {
      const order = await client.made('/orders', { items, payment_method: card });
      await documentsOf(order.payment.$oid);
    }
    const [own] = await one.client.read('/invoices');
    expect(own.user).toEqual({ $oid: one.id });
    expect(await world.admin.read('/invoices', { user: one.id })).toEqual([own]);
    const newest = await world.admin.read('/invoices', { kind: 'invoice', size: 2 });
    expect(newest.map(({ user }: any) => user.$oid)).toEqual([two.id, one.id]);
    const next = await world.admin.read('/invoices', { size: 1, after: idIn(newest[0]) });
    expect(next).toEqual([own]);
    const later = await world.admin.read('/invoices', { from_date: Number(own.created.$date) + 1 });
    expect(later.map(({ number }: any) => number)).toEqual([newest[0].number]);
    expect((await two.client.get(`/invoices/${idIn(own)}`)).status).toBe(404);
    const stranger = await world.stranger();
    expect((await stranger.admin.get(`/invoices/${idIn(own)}`)).status).toBe(404);
    expect(await stranger.admin.read('/invoices')).toEqual([]);
  });

  it('is searched by number, by its beginning and by id', async () => {
    const buyer = await shop.buyer();
    const items = [{ product: await shop.product({ price: 12 }), quantity: 1 }];
    const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
    const [{ _id, number }] = await documentsOf(order.payment.$oid);
    const found = async (query: string, admin = world.admin): Promise<any[]> =>
      (await admin.read('/search', { query })).results;
    const [hit, ...others] = await found(number.toLowerCase());
    expect(hit).toMatchObject({
      ...{ object_type: 'invoice', _id, number, user: { $oid: buyer.id } },
      ...{ amount: 12, currency: 'EUR', name: null, status: null },
    });
    expect(others).toEqual([]);
    expect(await found(_id.$oid)).toEqual([hit]);
    const beginning = number.slice(0, 'R2026-'.length);
    const first = await found(beginning);
    const one = `${beginning}000001`;
    expect([first[0].number, first.length <= 6]).toEqual([one, true]);
    expect(first.map(({ number: each }: any) => each)).toEqual(
      first.map(({ number: each }: any) => each).toSorted(),
    );
    // The codes of other records are random, and may contain a short text.
    const invoices = async (query: string): Promise<any[]> =>
      (await found(query)).filter(({ object_type }) => object_type === 'invoice');
    for (const query of ['R2', number.slice(1), `${number}0`]) expect(await invoices(query)).toEqual([]);
    const stranger = await world.stranger();
    expect(await found(number, stranger.admin)).toEqual([]);
  });

  it('sends invoice.created with each', async () => {
    const { receiver } = await world.listening('invoice.created');
    const buyer = await shop.buyer();
    const items = [{ product: await shop.product(), quantity: 1 }];
    const order = await buyer.client.made('/orders', { items, payment_method: buyer.card });
    const [invoice] = await documentsOf(order.payment.$oid);
    await receiver.untilKinds('invoice.created');
    const [message] = receiver.messages;
    expect(message?.json).toMatchObject({ kind: 'invoice.created', sequence: 1, previous_data: {} });
    expect(message?.json.object).toMatchObject({ number: invoice.number, content: invoice.content });
  });
});

describe('PUT /company', () => {
  it.each([
    ['seller.address', { ...SELLER, address: undefined }],
    ['seller.address.country', { ...SELLER, address: { ...SELLER.address, country: 'XX' } }],
    ['seller.locale', { ...SELLER, locale: 'pt' }],
    ['seller.invoice_prefix', { ...SELLER, invoice_prefix: 'RCN' }],
    ['seller.logo', { ...SELLER, logo: '5d5bea8f0d1b6a0001c0ffee' }],
    ['seller.iban', { ...SELLER, iban: 'DE02' }],
  ])('refuses a seller with a wrong %s', async (path, seller) => {
    const { status, body } = await world.admin.put('/company', { seller });
    expect([status, body.errors[0].path]).toEqual([422, path]);
  });

  it('is for admins, who change the seller only', async () => {
    const { client } = await world.user();
    expect((await client.put('/company', { seller: SELLER })).status).toBe(403);
    expect((await client.get('/company')).status).toBe(403);
    expect((await world.admin.put('/company', { mode: 'live' })).status).toBe(422);
    const company = await world.admin.read('/company');
    expect(company).toMatchObject({ _cls: 'Company', mode: 'test', seller: { invoice_prefix: 'R' } });
    expect(company).not.toHaveProperty('invoices_since');
  });
});

describe('A company without a seller', () => {
  it('has no invoices, and with one later none of what was paid before', async () => {
    const other = await World.start();
    try {
      const buyer = await new Shop(other).buyer();
      const items = [{ product: await new Shop(other).product(), quantity: 1 }];
      const buy = (): Promise<any> => buyer.client.made('/orders', { items, payment_method: buyer.card });
      const before = await buy();
      expect(await other.admin.read('/company')).toMatchObject({ seller: null });
      await other.admin.changed('/company', { seller: SELLER });
      const after = await buy();
      const refund = { amount: 1 };
      await other.admin.made(`/payments/${before.payment.$oid}/refunds`, refund);
      await other.admin.made(`/payments/${after.payment.$oid}/refunds`, refund);
      await documentsOf(after.payment.$oid, 2, other.admin);
      const all = await other.admin.read('/invoices', { sort: 'created' });
      expect(all.map(({ number, payment }: any) => [place({ number }), payment])).toEqual([
        [1, after.payment],
        [1, after.payment],
      ]);
    } finally {
      await other.stop();
    }
  });
});
