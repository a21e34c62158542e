import { eventually, idIn, type Client } from '@commerce/testing';

import { Shop } from '../shop.js';
import { World } from '../world.js';
import { expectSums, tableOf, taxesText } from './tax-tables.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const RATES = [
  { country: 'DE', tax_category: 'reduced', rate: 0.07, from: '2021-01-01' },
  { country: 'DE', tax_category: 'books', rate: 0.07, from: '2021-01-01' },
  { country: 'IE', tax_category: 'books', rate: 0, from: '2021-01-01' },
  { country: 'DE', tax_category: 'standard', rate: 0.21, from: '2027-02-01' },
];

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const companies = new Map<string, Promise<Client>>();

/** The company with these settings; one for all cases that have them. */
function company(settings: string, tax_behavior: string): Promise<Client> {
  const key = `${settings} ${tax_behavior}`;
  const found = companies.get(key) ?? founded(settings, tax_behavior);
  companies.set(key, found);
  return found;
}

async function founded(settings: string, tax_behavior: string): Promise<Client> {
  const { admin } = await world.stranger({
    tax_behavior: tax_behavior as 'inclusive',
    timezone: 'Europe/Berlin',
  });
  const flags = { oss: settings === 'oss', small_business: settings === 'small_business' };
  await admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', ...flags, rates: RATES } });
  return admin;
}

interface Customer {
  readonly user: string;
  readonly method: string;
  readonly customer: string;
}

/** A customer with a card: `FR FR40303265045` is in France and has that VAT id. */
async function customerOf(admin: Client, buyer: string, values: object = {}): Promise<Customer> {
  const [country = '', vat_id = null] = buyer.split(' ');
  const billing = country === '' ? null : { address: { ...ADDRESS, country }, vat_id };
  const user = idIn(await admin.made('/users', { name: 'Ada', billing, ...values }));
  const method = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
  const card = await admin.changed(`/payment_methods/${method}`, { payment_method_id: 'pm_card_visa' });
  return { user, method, customer: card.customer_id };
}

/** The documents of a payment, the oldest first, once there are so many. */
function documentsOf(admin: Client, payment: string, count: number): Promise<any[]> {
  return eventually(
    () => admin.read('/invoices', { payment, sort: 'created' }),
    (found: any[]) => found.length >= count,
    30_000,
  );
}

describe('docs/tax.md, the table of cases', () => {
  const cases = tableOf('cases').map((row) => [row['case'] ?? '', row] as const);

  it('has the cases that the tests sell', () => {
    expect(cases.length).toBe(23);
  });

  it.concurrent.each(cases)('%s', async (_name, row) => {
    const { settings = '', buyer = '', sold = '', prices = '', charged, taxes } = row;
    const admin = await company(settings, prices);
    const { user, method } = await customerOf(admin, buyer);
    const words = sold.split(', ').map((one) => one.split(' '));
    const amountOf = (name: string): number | null => {
      const found = words.find(([first]) => first === name)?.[1];
      return found === undefined ? null : Number(found);
    };
    const items: object[] = [];
    for (const thing of words.filter((one) => one[0] !== 'coupon' && one[0] !== 'refund')) {
      const [price, tax_supply, tax_category = 'standard'] = [...thing].reverse();
      const product = { name: 'Tea', price: Number(price), currency: 'EUR', active: true, vat: 0.5 };
      items.push({ product: idIn(await admin.made('/products', { ...product, tax_category, tax_supply })) });
    }
    const percent_off = amountOf('coupon');
    const coupon = percent_off === null ? null : (await admin.made('/coupons', { percent_off })).code;
    const order = await admin.made('/orders', { items, user, payment_method: method, coupon });
    expect([order.status, order.amount.toFixed(2)]).toEqual(['PAID', charged]);

    const payment = String(order.payment.$oid);
    const refund = amountOf('refund');
    const [invoice] = await documentsOf(admin, payment, 1);
    expectSums(invoice, order.amount);
    const texts = [taxesText(invoice.content)];
    if (refund !== null) {
      await admin.made(`/payments/${payment}/refunds`, { amount: refund });
      const [, note] = await documentsOf(admin, payment, 2);
      expectSums(note, refund);
      texts.push(`credit note: ${taxesText(note.content)}`);
    }
    expect(texts.join('; ')).toBe(taxes);

    // What stands in the breakdown is what the invoice says, with the rule beside it.
    const [part] = order.breakdown.parts;
    for (const { category, rate, reason, reason_code } of invoice.content.taxes) {
      expect(part.vat).toContainEqual(
        expect.objectContaining({
          rate,
          tax: expect.objectContaining({ category, reason, reason_code, rule: expect.any(String) }),
        }),
      );
      expect(reason === null).toBe(category === 'S' || category === 'Z');
    }
  });
});

describe('The VAT id on which a tax depends', () => {
  it('stands on the documents of the payment, also where the buyer removes it a moment later', async () => {
    const admin = await company('oss', 'exclusive');
    const { user, method } = await customerOf(admin, 'FR FR40303265045');
    const thing = {
      name: 'Tea',
      price: 100,
      currency: 'EUR',
      active: true,
      vat: 0.5,
      tax_supply: 'services',
    };
    const items = [{ product: idIn(await admin.made('/products', thing)) }];
    const order = await admin.made('/orders', { items, user, payment_method: method });
    await admin.changed(`/users/${user}`, { billing: { address: { ...ADDRESS, country: 'FR' } } });
    const basis = { category: 'AE', country: 'FR', vat_id: 'FR40303265045' };
    expect(order.breakdown.parts[0].vat).toMatchObject([{ rate: 0, tax: basis }]);

    const payment = String(order.payment.$oid);
    await documentsOf(admin, payment, 1);
    await admin.made(`/payments/${payment}/refunds`, { amount: 30 });
    const [invoice, note] = await documentsOf(admin, payment, 2);
    for (const { content } of [invoice, note]) {
      expect(content.buyer).toMatchObject({ vat_id: 'FR40303265045', address: { country: 'FR' } });
    }

    const later = await admin.made('/orders', { items, user, payment_method: method });
    const [taxed] = await documentsOf(admin, String(later.payment.$oid), 1);
    expect(taxed.content.buyer.vat_id).toBe(null);
    expect(taxesText(taxed.content)).toBe('S 20 % FR: 100.00 + 20.00');
  });
});

const START = Date.parse('2027-01-15T00:00:00+01:00');
const MONTHS = ['January', 'February'];

/** `25 January` as an instant. */
function dateOf(text: string): number {
  const [day, month = ''] = text.split(' ');
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  return Date.parse(`2027-${number}-${String(day).padStart(2, '0')}T00:00:00+01:00`);
}

interface Story {
  readonly admin: Client;
  readonly buyer: Customer;
  readonly subscription: string;
  readonly to: (date: string) => Promise<void>;
}

/** What happens between the charges of a case. */
const STORIES: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  'resumed on 5 February after a pause on 25 January': async ({ admin, subscription, to }) => {
    await to('25 January');
    await admin.made(`/subscriptions/${subscription}/pause`);
    await to('5 February');
    await admin.made(`/subscriptions/${subscription}/start`);
  },
  'moved to France on 1 February': movedToFrance,
  'debt of January in Austria, moved to France on 1 February': movedToFrance,
};

async function movedToFrance({ admin, buyer, to }: Story): Promise<void> {
  await to('1 February');
  const billing = { address: { ...ADDRESS, country: 'FR' } };
  await admin.changed(`/users/${buyer.user}`, { billing });
}

const PLANS: Readonly<Record<string, object>> = {
  'setup fee of 20.00': { setup_fee: 20 },
  'price set by hand': { total_amount: 100 },
  'price set by hand, coupon of 10.00': { total_amount: 100 },
};

/** The code of a coupon of this amount for one interval. */
async function couponOf(admin: Client, amount_off: number): Promise<string> {
  return String((await admin.made('/coupons', { amount_off, currency: 'EUR' })).code);
}

describe('docs/tax.md, the table of subscriptions', () => {
  const rows = tableOf('subscriptions');
  const names = rows.map((row) => row['case'] ?? '').filter((name) => name !== '');

  it.concurrent.each(names)(
    '%s',
    async (name) => {
      const first = rows.findIndex((row) => row['case'] === name);
      const next = rows.findIndex((row, index) => index > first && row['case'] !== '');
      const expected = rows.slice(first, next === -1 ? undefined : next);
      const admin = await company('oss', expected[0]?.['prices'] ?? '');
      const clock = idIn(await admin.made('/test_clocks', { name, frozen_time: START }));
      const buyer = await customerOf(admin, name.includes('Austria') ? 'AT' : 'DE', { test_clock: clock });
      const values = { name: 'Seat', price: 100, currency: 'EUR', active: true, vat: 0.5 };
      const product = idIn(await admin.made('/products', values));
      const to = async (date: string): Promise<void> => {
        await admin.made(`/test_clocks/${clock}/advance`, { frozen_time: dateOf(date) });
        await eventually(
          () => admin.read(`/test_clocks/${clock}`),
          (read: any) => read.status === 'ready',
          60_000,
        );
      };
      if (name.startsWith('balance')) {
        await admin.made(`/users/${buyer.user}/credits`, { amount: 40, currency: 'EUR' });
      }
      if (name.startsWith('debt')) {
        await new Shop(world).bank(
          { ...buyer, id: buyer.user, client: admin, card: '' },
          'insufficient_funds',
        );
      }
      const plan = idIn(
        await admin.made('/plans', {
          ...{ name: 'Monthly', interval_unit: 'MONTH', prepay: true, items: [{ product }] },
          ...PLANS[name],
        }),
      );
      const coupon = name.includes('coupon') ? await couponOf(admin, 10) : null;
      const body = { plan, coupon, user: buyer.user, payment_method: buyer.method, start_now: true };
      const subscription = idIn(await admin.made('/subscriptions', body));
      await STORIES[name]?.({ admin, buyer, subscription, to });
      await to('16 February');

      const payments: any[] = await admin.read('/payments', { user: buyer.user });
      const found: Record<string, unknown[]> = {};
      for (const payment of payments.filter(({ status }) => status !== 'FAILED')) {
        const [invoice] = await documentsOf(admin, idIn(payment), 1);
        const whole = Number(payment.amount) + Number(payment.credit_applied);
        expectSums(invoice, whole);
        found[invoice.content.issue_date] = [whole.toFixed(2), taxesText(invoice.content)];
        const explained = await admin.read(`/payments/${idIn(payment)}/explanation`);
        expect(explained).toMatchObject({ agrees: true });
      }
      for (const { date = '', charged, taxes } of expected) {
        const day = new Date(dateOf(date) + 3_600_000).toISOString().slice(0, 10);
        expect([day, found[day]]).toEqual([day, [charged, taxes]]);
      }
    },
    120_000,
  );
});
