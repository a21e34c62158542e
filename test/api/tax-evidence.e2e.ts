import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { UserStore } from '@commerce/identity';
import { Client, eventually, idIn } from '@commerce/testing';

import { World } from '../world.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const FRENCH_ID = 'FR40303265045';

/** A register of VAT ids that speaks the REST interface of VIES. */
class Register {
  readonly asked: any[] = [];
  /** The answer to each number; those that are missing are not registered. */
  readonly replies = new Map<string, object>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Register> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString());
        register.asked.push({ path: request.url, ...body });
        const reply = register.replies.get(`${String(body.countryCode)}${String(body.vatNumber)}`) ?? {
          valid: false,
        };
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify(reply));
      });
    });
    const register = new Register(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return register;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}/rest-api`;
  }

  askedAbout(vatNumber: string): any[] {
    return this.asked.filter((one) => one.vatNumber === vatNumber);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

let register: Register;
let world: World;
let product: string;

beforeAll(async () => {
  register = await Register.start();
  world = await World.start({ env: { VIES_URL: register.url } });
  await world.admin.changed('/company', { seller: SELLER, tax: { mode: 'eu', oss: true } });
  const tea = { name: 'Tea', price: 100, currency: 'EUR', active: true, tax_supply: 'services' };
  product = idIn(await world.admin.made('/products', tea));
});
afterAll(async () => {
  await world.stop();
  await register.stop();
  delete process.env['VIES_URL'];
});

interface Customer {
  readonly id: string;
  readonly client: Client;
  readonly method: string;
}

const at = (country: string): typeof ADDRESS => ({ ...ADDRESS, country });

/** A customer of a country that an admin gave, with a card of a country. */
async function customer(
  country: string | null,
  card = 'de',
  vat_id: string | null = null,
): Promise<Customer> {
  const billing = country === null ? null : { address: at(country), vat_id };
  const { id, client } = await world.user({ billing });
  return { id, client, method: await cardOf(id, card) };
}

async function cardOf(user: string, country: string): Promise<string> {
  const method = idIn(await world.admin.made('/payment_methods', { payment_method: 'stripe', user }));
  await world.admin.changed(`/payment_methods/${method}`, { payment_method_id: `pm_card_${country}` });
  return method;
}

/** The tax of what the customer buys now: `S 0.19 DE`, and the address that its card contradicts. */
async function taxOf({ client, method }: Customer): Promise<string> {
  const order = await client.made('/orders', { items: [{ product }], payment_method: method });
  return textOf(order.breakdown.parts[0].vat);
}

function textOf([{ rate, tax }]: any[]): string {
  const address = tax.contradicts === undefined ? '' : `, not ${String(tax.contradicts)}`;
  return `${String(tax.category)} ${String(rate)} ${String(tax.country)}${address}`;
}

const move = ({ id, client }: Customer, country: string): Promise<any> =>
  client.changed(`/users/${id}`, { billing: { address: at(country) } });

describe('A VAT id', () => {
  it('that an admin gave counts by its form', async () => {
    expect(await taxOf(await customer('FR', 'fr', FRENCH_ID))).toBe('AE 0 FR');
  });

  it('that a user gave counts once an admin has confirmed it', async () => {
    const one = await customer('FR', 'fr');
    const billing = { address: at('FR'), vat_id: 'FR83404833048' };
    const given = await one.client.changed(`/users/${one.id}`, { billing });
    expect(given).toMatchObject({ billing_unconfirmed: ['vat_id'], billing: { vat_id_verified: null } });
    expect(await taxOf(one)).toBe('S 0.2 FR');

    const repeated = await world.admin.changed(`/users/${one.id}`, { billing, name: 'Ada Lovelace' });
    expect(repeated.billing_unconfirmed).toEqual(['vat_id']);
    const vat_id_verified = { at: Date.parse('2026-11-26'), reference: 'by phone' };
    const confirmed = { billing: { ...billing, vat_id_verified } };
    expect((await world.admin.changed(`/users/${one.id}`, confirmed)).billing_unconfirmed).toEqual([]);
    expect(await taxOf(one)).toBe('AE 0 FR');

    const other = { ...billing, vat_id: FRENCH_ID };
    expect((await one.client.changed(`/users/${one.id}`, { billing: other })).billing_unconfirmed).toEqual([
      'vat_id',
    ]);
    expect(await taxOf(one)).toBe('S 0.2 FR');
  });

  it('that a user gave is confirmed by VIES, which knows who asks', async () => {
    const one = await customer('IT', 'it');
    register.replies.set('IT00743110157', { valid: true, requestIdentifier: 'WAPIAAAAY1' });
    await one.client.changed(`/users/${one.id}`, {
      billing: { address: at('IT'), vat_id: 'IT 00743110157' },
    });
    const confirmed = await eventually(
      () => one.client.read(`/users/${one.id}`),
      (user: any) => user.billing.vat_id_verified !== null,
      30_000,
    );
    expect(confirmed).toMatchObject({
      billing: { vat_id_verified: { reference: 'VIES WAPIAAAAY1' } },
      billing_unconfirmed: [],
    });
    expect(register.askedAbout('00743110157')).toEqual([
      {
        ...{ path: '/rest-api/check-vat-number', countryCode: 'IT', vatNumber: '00743110157' },
        ...{ requesterMemberStateCode: 'DE', requesterNumber: '136695976' },
      },
    ]);
    expect(await taxOf(one)).toBe('AE 0 IT');
  });

  it('that VIES does not know stays unconfirmed, and one that it could not look up is asked about again', async () => {
    const unknown = await customer('IT', 'it');
    const billing = (vat_id: string) => ({ billing: { address: at('IT'), vat_id } });
    await unknown.client.changed(`/users/${unknown.id}`, billing('IT01404480202'));
    const later = await customer('IT', 'it');
    register.replies.set('IT00595000217', {
      actionSucceed: false,
      errorWrappers: [{ error: 'MS_UNAVAILABLE' }],
    });
    await later.client.changed(`/users/${later.id}`, billing('IT00595000217'));

    const users = world.get(UserStore).in(world.company);
    const dueOf = async (id: string): Promise<Date | null> => (await users.get(id)).vat_check_due;
    await eventually(
      () => dueOf(unknown.id),
      (due) => due === null,
      30_000,
    );
    expect(await taxOf(unknown)).toBe('S 0.22 IT');
    const tried = await eventually(
      () => users.get(later.id),
      ({ vat_check_tries }) => vat_check_tries === 1,
      30_000,
    );
    const waits = (tried.vat_check_due?.getTime() ?? 0) - Date.now();
    expect([waits > 30_000, waits <= 60_000]).toEqual([true, true]);
    expect(await taxOf(later)).toBe('S 0.22 IT');

    register.replies.set('IT00595000217', { valid: true, requestIdentifier: '' });
    await users.store.model.updateOne({ _id: tried._id }, { $set: { vat_check_due: new Date() } });
    await eventually(
      () => later.client.read(`/users/${later.id}`),
      (user: any) => user.billing_unconfirmed.length === 0,
      30_000,
    );
    expect(await taxOf(later)).toBe('AE 0 IT');
  });
});

describe('The country of an address', () => {
  it('that a user changed lowers the tax only where the card does not contradict it', async () => {
    const one = await customer('DE');
    expect(await taxOf(one)).toBe('S 0.19 DE');
    expect((await move(one, 'LU')).billing_unconfirmed).toEqual(['country']);
    expect(await taxOf(one)).toBe('S 0.19 DE, not LU');
    await move(one, 'US');
    expect(await taxOf(one)).toBe('S 0.19 DE, not US');
    await move(one, 'HU');
    expect(await taxOf(one)).toBe('S 0.27 HU');
    await move(one, 'LU');
    expect(await taxOf({ ...one, method: await cardOf(one.id, 'lu') })).toBe('S 0.17 LU');
    expect(await taxOf({ ...one, method: await cardOf(one.id, 'hu') })).toBe('S 0.27 HU, not LU');
  });

  it('that a user removed does not lower it either', async () => {
    const one = await customer('HU', 'hu');
    await one.client.changed(`/users/${one.id}`, { billing: null });
    expect(await taxOf(one)).toBe('S 0.27 HU, not DE');
  });

  it('counts once an admin has confirmed it, until the user changes it again', async () => {
    const one = await customer('DE');
    await move(one, 'LU');
    const path = `/users/${one.id}`;
    const claimed = { billing: { address: at('LU'), country_confirmed: true } };
    const { status, body } = await one.client.put(path, claimed);
    expect([status, body.errors]).toMatchObject([
      422,
      [{ path: 'billing.country_confirmed', code: 'user.field_reserved' }],
    ]);
    expect((await world.admin.changed(path, claimed)).billing_unconfirmed).toEqual([]);
    expect(await taxOf(one)).toBe('S 0.17 LU');
    expect((await one.client.changed(path, claimed)).billing).toMatchObject({ country_confirmed: true });
    expect((await move(one, 'MT')).billing_unconfirmed).toEqual(['country']);
    expect(await taxOf(one)).toBe('S 0.19 DE, not MT');
  });

  it('decides on subscriptions by the card that they charge; without one, the country of the seller stands for it', async () => {
    const one = await customer('DE');
    await move(one, 'LU');
    const plan = idIn(
      await world.admin.made('/plans', {
        name: 'Tea',
        interval_unit: 'MONTH',
        prepay: true,
        total_amount: 10,
        currency: 'EUR',
      }),
    );
    const shown = async (payment_method: string | null): Promise<string> => {
      const [charge] = await one.client.made('/subscriptions/preview', { plan, payment_method });
      return textOf(charge.breakdown.parts[0].vat);
    };
    expect(await shown(one.method)).toBe('S 0.19 DE, not LU');
    expect(await shown(null)).toBe('S 0.19 DE, not LU');
    expect(await shown(await cardOf(one.id, 'lu'))).toBe('S 0.17 LU');

    const body = { plan, payment_method: one.method, start_now: true };
    const subscription = idIn(await one.client.made('/subscriptions', body));
    const [payment] = await eventually(
      () => one.client.read('/payments', { subscription }),
      (found: any[]) => found[0]?.status === 'SUCCEEDED',
      30_000,
    );
    expect(textOf(payment.breakdown.parts[0].vat)).toBe('S 0.19 DE, not LU');
    const { lines } = await world.admin.read(`/payments/${idIn(payment)}/explanation`);
    expect(lines.map(({ label }: any) => label)).toContain(
      'VAT 19 % (DE; the card contradicts the address in LU), included',
    );
  });
});
