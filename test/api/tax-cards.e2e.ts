import { idIn, type Client } from '@commerce/testing';

import { Scenario } from '../flows/scenario.js';
import { World } from '../world.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const DIFFERS = 'payment_method.country_differs';

let world: World;
let product: string;

beforeAll(async () => {
  world = await World.start();
  await world.admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', oss: true } });
  const tea = { name: 'Tea', price: 100, currency: 'EUR', active: true, tax_supply: 'services' };
  product = idIn(await world.admin.made('/products', tea));
});
afterAll(() => world.stop());

const billing = (country: string, more: object = {}): object => ({
  billing: { address: { ...ADDRESS, country }, ...more },
});

/** A customer whom the company knows in Germany, and who says to have moved. */
async function movedTo(country: string): Promise<{ one: Scenario; own: Client }> {
  const one = await Scenario.begin(world, '2026-04-01');
  await world.admin.changed(`/users/${one.user}`, billing('DE'));
  const { access_token: token } = await world.admin.made(`/users/${one.user}/tokens`);
  const own = world.anonymous.as(token);
  await own.changed(`/users/${one.user}`, billing(country));
  return { one, own };
}

/** An order at the tax of a country, which its own card could not pay. */
async function unpaid({ one, own }: { one: Scenario; own: Client }, card: string): Promise<any> {
  const payment_method = await one.card(card);
  await one.bank('insufficient_funds');
  const { status, body } = await own.post('/orders', { items: [{ product }], payment_method });
  expect([status, body.decline_code]).toEqual([402, 'generic_decline']);
  return { ...body.order, payment: body.payment, payment_method };
}

async function called(payment: any, method: string, body: object = {}): Promise<any> {
  const { pay_url } = await world.admin.read(`/payments/${idIn(payment)}`);
  const url = `${world.baseUrl}${new URL(String(pay_url)).pathname}/card`;
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method, headers, body: JSON.stringify(body) })).json();
}

/** Pays with a card on the page of a payment. */
async function onPage(payment: any, card: string): Promise<any> {
  const { payment_method } = await called(payment, 'POST');
  return called(payment, 'PUT', { payment_method, payment_method_id: `pm_card_${card}` });
}

const codes = async (payment: any): Promise<(string | null)[]> =>
  (await world.admin.read(`/payments/${idIn(payment)}`)).attempts.map(({ code }: any) => code);

describe('A payment that has the lower tax of an address which nobody has confirmed', () => {
  it.each([
    ['LU', 'lu', 0.17],
    ['US', 'us', 0],
  ])(
    'of an order in %s is paid by no German card: not by pay, by the page or in place of the first',
    async (to, card, rate) => {
      const { one, own } = await movedTo(to);
      const order = await unpaid({ one, own }, card);
      expect(order.breakdown.parts[0].vat).toMatchObject([{ rate }]);
      const german = await one.card('de');
      const paid = await own.post(`/orders/${idIn(order)}/pay`, { payment_method: german });
      expect([paid.status, paid.body.decline_code]).toEqual([402, DIFFERS]);
      expect(await onPage(order.payment, 'de')).toMatchObject({ state: 'new_card' });
      await own.changed(`/payment_methods/${String(order.payment_method)}`, {
        payment_method_id: 'pm_card_de',
      });
      const again = await own.post(`/orders/${idIn(order)}/pay`, { payment_method: order.payment_method });
      expect([again.status, again.body.decline_code]).toEqual([402, DIFFERS]);
      expect(await codes(order.payment)).toEqual(['insufficient_funds', DIFFERS, DIFFERS, DIFFERS]);
      expect((await one.ledger()).charges).toBe(0);
      expect(await onPage(order.payment, card)).toMatchObject({ state: 'paid' });
      expect((await one.ledger()).captured).toBe(10_000);
    },
  );

  it('is paid by any card once an admin has confirmed the address', async () => {
    const { one, own } = await movedTo('LU');
    const order = await unpaid({ one, own }, 'lu');
    await world.admin.changed(`/users/${one.user}`, billing('LU', { country_confirmed: true }));
    expect(await onPage(order.payment, 'de')).toMatchObject({ state: 'paid' });
  });

  it('is paid by a card of a country with a lower rate', async () => {
    const { one, own } = await movedTo('HU');
    const order = await unpaid({ one, own }, 'hu');
    expect(order.breakdown.parts[0].vat).toMatchObject([{ rate: 0.27 }]);
    expect(await onPage(order.payment, 'de')).toMatchObject({ state: 'paid' });
  });

  it('of a subscription stays owed: no German card pays it, put in its place or in place of the first', async () => {
    const { one, own } = await movedTo('LU');
    const plan = await one.plan({ prepay: true, total_amount: 100, max_fail_attempts: 0 });
    const payment_method = await one.card('lu');
    await one.bank('insufficient_funds');
    const id = idIn(await own.made('/subscriptions', { plan, payment_method, start_now: true }));
    await one.settled(id);
    expect(await one.subscription(id)).toMatchObject({ outstanding_amount: 100 });
    await own.changed(`/subscriptions/${id}`, { payment_method: await one.card('de') });
    await one.settled(id);
    const [, debt] = await one.payments(id);
    expect([debt.status, await codes(debt)]).toEqual(['FAILED', [DIFFERS]]);
    expect(await one.subscription(id)).toMatchObject({ outstanding_amount: 100 });
    const other = await one.card('lu');
    await own.changed(`/payment_methods/${other}`, { payment_method_id: 'pm_card_de' });
    await own.changed(`/subscriptions/${id}`, { payment_method: other });
    await one.settled(id);
    expect((await one.ledger()).charges).toBe(0);
    await own.changed(`/subscriptions/${id}`, { payment_method: await one.card('lu') });
    await one.settled(id);
    expect(await one.subscription(id)).toMatchObject({ outstanding_amount: 0 });
    expect((await one.ledger()).captured).toBe(10_000);
  });
});
