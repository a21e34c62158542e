import { idIn, type Client } from '@commerce/testing';

import { World } from '../world.js';

const ADDRESS = { line1: 'Teestraße 1', postal_code: '10115', city: 'Berlin', country: 'DE' };
const SELLER = { name: 'Teehaus GmbH', address: ADDRESS, vat_id: 'DE136695976' };
const SWISS = { ...SELLER, address: { ...ADDRESS, country: 'CH' } };
const REDUCED = { country: 'DE', tax_category: 'reduced', rate: 0.07, from: '2000-01-01' };
const MANUAL = { mode: 'manual', oss: false, small_business: false, rates: [] };

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const company = async (settings: object = {}): Promise<Client> => {
  const { admin } = await world.stranger();
  if (Object.keys(settings).length > 0) await admin.changed('/company', settings);
  return admin;
};

/** The status, and the code of each refused field. */
const refusal = ({ status, body }: { status: number; body: any }): unknown => [
  status,
  Object.fromEntries((body.errors ?? []).map(({ path, code }: any) => [path, code])),
];

describe('PUT /company with tax', () => {
  it('is manual unless set, and replaced as a whole', async () => {
    const admin = await company();
    expect(await admin.read('/company')).toMatchObject({ tax: MANUAL });
    const tax = { mode: 'EU', oss: true, rates: [{ ...REDUCED, country: 'de' }] };
    const expected = { mode: 'eu', oss: true, small_business: false, rates: [REDUCED] };
    expect(await admin.changed('/company', { seller: SELLER, tax })).toMatchObject({ tax: expected });
    expect(await admin.read('/company')).toMatchObject({ tax: expected });
    expect(await admin.changed('/company', { tax: { mode: 'eu' } })).toMatchObject({
      tax: { ...MANUAL, mode: 'eu' },
    });
    expect(await admin.changed('/company', { tax: {} })).toMatchObject({ tax: MANUAL });
  });

  it.each([
    ['without a seller', {}, { tax: { mode: 'eu' } }, 'tax.mode', 'tax.seller_required'],
    [
      'with a seller outside the EU',
      { seller: SWISS },
      { tax: { mode: 'eu' } },
      'tax.mode',
      'tax.seller_outside_eu',
    ],
    [
      'with a seller outside the EU in the same request',
      {},
      { seller: SWISS, tax: { mode: 'eu' } },
      'seller.address.country',
      'tax.seller_outside_eu',
    ],
    [
      'without a VAT id',
      {},
      { seller: { ...SELLER, vat_id: null }, tax: { mode: 'eu' } },
      'seller.vat_id',
      'tax.vat_id_required',
    ],
    [
      'with wrong check digits',
      {},
      { seller: { ...SELLER, vat_id: 'DE136695975' }, tax: { mode: 'eu' } },
      'seller.vat_id',
      'vat_id.invalid',
    ],
    [
      'with the VAT id of another country',
      {},
      { seller: { ...SELLER, vat_id: 'FR40303265045' }, tax: { mode: 'eu' } },
      'seller.vat_id',
      'vat_id.invalid',
    ],
    [
      'after the seller is taken away',
      { seller: SELLER, tax: { mode: 'eu' } },
      { seller: null },
      'seller',
      'tax.seller_required',
    ],
    [
      'after the seller leaves the EU',
      { seller: SELLER, tax: { mode: 'eu' } },
      { seller: SWISS },
      'seller.address.country',
      'tax.seller_outside_eu',
    ],
    [
      'with a rate of a country outside the EU',
      {},
      { tax: { rates: [{ ...REDUCED, country: 'CH' }] } },
      'tax.rates.0.country',
      'value.invalid',
    ],
    [
      'with a rate from no day',
      {},
      { tax: { rates: [{ ...REDUCED, from: '2026-02-30' }] } },
      'tax.rates.0.from',
      'value.invalid',
    ],
    ['with a rate twice', {}, { tax: { rates: [REDUCED, REDUCED] } }, 'tax.rates.1', 'value.invalid'],
    [
      'with a rate above 1',
      {},
      { tax: { rates: [{ ...REDUCED, rate: 7 }] } },
      'tax.rates.0.rate',
      'value.invalid',
    ],
    ['with another mode', {}, { tax: { mode: 'us' } }, 'tax.mode', 'value.invalid'],
  ])('%s is refused, and changes nothing', async (_name, before, body, path, code) => {
    const admin = await company(before);
    const kept = await admin.read('/company');
    expect(refusal(await admin.put('/company', body))).toEqual([422, { [path]: code }]);
    expect(await admin.read('/company')).toEqual(kept);
  });

  it('takes no VAT id of a small business', async () => {
    const tax = { mode: 'eu', small_business: true };
    const admin = await company({ seller: { ...SELLER, vat_id: null }, tax });
    expect(await admin.read('/company')).toMatchObject({ tax: { ...MANUAL, ...tax } });
  });
});

describe('The VAT id of a user', () => {
  const billing = (vat_id: string | null, country = 'FR'): object => ({
    address: { ...ADDRESS, country },
    vat_id,
  });

  it('is checked where tax is decided by it', async () => {
    const admin = await company({ seller: SELLER, tax: { mode: 'eu' } });
    const user = idIn(await admin.made('/users', { billing: billing('FR40303265045') }));
    for (const [vat_id, country] of [
      ['FR40303265046', 'FR'],
      ['DE136695976', 'FR'],
      ['GR094259216', 'GR'],
    ] as const) {
      const body = { billing: billing(vat_id, country) };
      expect(refusal(await admin.post('/users', body))).toEqual([
        422,
        { 'billing.vat_id': 'vat_id.invalid' },
      ]);
      expect(refusal(await admin.put(`/users/${user}`, body))).toEqual([
        422,
        { 'billing.vat_id': 'vat_id.invalid' },
      ]);
    }
    for (const [vat_id, country] of [
      ['EL094259216', 'GR'],
      ['12-3456789', 'US'],
    ] as const) {
      const changed = await admin.changed(`/users/${user}`, { billing: billing(vat_id, country) });
      expect(changed.billing).toMatchObject({ vat_id, vat_id_verified: null });
    }
  });

  it('is any text where tax is manual', async () => {
    const user = await world.admin.made('/users', { billing: billing('FR 1') });
    expect(user.billing.vat_id).toBe('FR 1');
  });

  it('is verified by admins only, and no more once it changes', async () => {
    const { id, client } = await world.user({ billing: billing('FR40303265045') });
    const at = Date.parse('2026-01-02T03:04:05Z');
    const vat_id_verified = { at: { $date: at }, reference: 'WAPIAAAAX1' };
    const verified = { ...billing('FR40303265045'), vat_id_verified: { at, reference: 'WAPIAAAAX1' } };
    expect(refusal(await client.put(`/users/${id}`, { billing: verified }))).toEqual([
      422,
      { 'billing.vat_id_verified': 'user.field_reserved' },
    ]);
    const set = await world.admin.changed(`/users/${id}`, { billing: verified });
    expect(set.billing).toMatchObject({ vat_id_verified });
    const kept = await client.changed(`/users/${id}`, {
      billing: { ...billing('FR40303265045'), name: 'Ada' },
    });
    expect(kept.billing).toMatchObject({ name: 'Ada', vat_id_verified });
    const repeated = await client.changed(`/users/${id}`, { billing: { ...verified, name: 'Ada' } });
    expect(repeated.billing).toEqual(kept.billing);
    const lost = await client.changed(`/users/${id}`, { billing: billing('FR83404833048') });
    expect(lost.billing).toMatchObject({ vat_id: 'FR83404833048', vat_id_verified: null });
  });
});

describe('The tax_category of a product', () => {
  const values = { name: 'Tea', price: 10, currency: 'EUR', active: true };

  it('is standard unless given, and needs a rate of the seller’s own country', async () => {
    const admin = await company({ seller: SELLER, tax: { mode: 'eu', rates: [REDUCED] } });
    const made = await admin.made('/products', values);
    expect(made).toMatchObject({ tax_category: 'standard', tax_supply: null });
    const path = `/products/${idIn(made)}`;
    for (const tax_category of ['reduced', 'exempt']) {
      expect(await admin.changed(path, { tax_category, tax_supply: 'services' })).toMatchObject({
        tax_category,
        tax_supply: 'services',
      });
    }
    const missing = [422, { tax_category: 'tax.rate_missing' }];
    expect(refusal(await admin.put(path, { tax_category: 'books' }))).toEqual(missing);
    expect(refusal(await admin.post('/products', { ...values, tax_category: 'books' }))).toEqual(missing);
    expect(await admin.changed(path, { name: 'Green tea' })).toMatchObject({ tax_category: 'exempt' });
  });

  it('is free where tax is manual', async () => {
    const made = await world.admin.made('/products', { ...values, tax_category: 'books' });
    expect(made).toMatchObject({ tax_category: 'books' });
  });
});
