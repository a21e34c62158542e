import fc from 'fast-check';

import { priceLines } from '../pricing/pricing.js';
import { contradictsTax, decideTax } from './decide-tax.js';
import {
  PRODUCT_TAX_CATEGORIES,
  TAX_SUPPLIES,
  type TaxBuyer,
  type TaxedProduct,
  type TaxSeller,
} from './tax-terms.js';

const AT = new Date('2026-03-01T12:00:00Z');
const GERMAN: TaxSeller = {
  country: 'DE',
  timezone: 'Europe/Berlin',
  oss: true,
  small_business: false,
  rates: [
    { country: 'DE', tax_category: 'reduced', rate: 0.07, from: '2000-01-01' },
    { country: 'FR', tax_category: 'books', rate: 0.055, from: '2012-04-01' },
    { country: 'IE', tax_category: 'books', rate: 0, from: '2000-01-01' },
  ],
};
const SERVICE: TaxedProduct = { tax_category: 'standard', tax_supply: 'services' };
const GOODS: TaxedProduct = { tax_category: 'standard', tax_supply: 'goods' };
const FRENCH_ID = 'FR40303265045';

function buyer(country: string | null, vat_id: string | null = null): TaxBuyer {
  return { country, vat_id };
}

function taxOf(country: string): ReturnType<typeof decideTax>['tax'] {
  return decideTax(GERMAN, buyer(country), SERVICE, AT).tax;
}

function decided(one: TaxBuyer, product = SERVICE, seller = GERMAN, at = AT): string {
  const { vat, tax } = decideTax(seller, one, product, at);
  return [vat, tax.category, tax.rule, tax.country, tax.reason_code ?? tax.reason ?? '-'].join(' ');
}

describe('decideTax', () => {
  it.each([
    ['in the country of the seller', buyer('DE'), SERVICE, '0.19 S domestic DE -'],
    ['a business in the country of the seller', buyer('DE', 'DE136695976'), SERVICE, '0.19 S domestic DE -'],
    ['without an address', buyer(null), SERVICE, '0.19 S domestic DE -'],
    ['a VAT id without an address', buyer(null, FRENCH_ID), SERVICE, '0.19 S domestic DE -'],
    ['a consumer in another member state', buyer('FR'), SERVICE, '0.2 S oss FR -'],
    ['a consumer in Monaco', buyer('MC'), SERVICE, '0.2 S oss FR -'],
    ['a VAT id with a wrong check digit', buyer('FR', 'FR40303265046'), SERVICE, '0.2 S oss FR -'],
    ['a VAT id of a third member state', buyer('FR', 'DE136695976'), SERVICE, '0.2 S oss FR -'],
    ['a business: services', buyer('FR', FRENCH_ID), SERVICE, '0 AE reverse_charge FR VATEX-EU-AE'],
    ['a business: goods', buyer('FR', FRENCH_ID), GOODS, '0 K intra_community FR VATEX-EU-IC'],
    ['a Greek business', buyer('GR', 'EL 094259216'), SERVICE, '0 AE reverse_charge GR VATEX-EU-AE'],
    ['outside the EU: services', buyer('CH'), SERVICE, '0 O outside_scope CH VATEX-EU-O'],
    ['outside the EU: goods', buyer('US'), GOODS, '0 G export US VATEX-EU-G'],
    ['Northern Ireland: goods', buyer('GB', 'XI980780684'), GOODS, '0 K intra_community GB VATEX-EU-IC'],
    ['Northern Ireland: services', buyer('GB', 'XI980780684'), SERVICE, '0 O outside_scope GB VATEX-EU-O'],
    ['Great Britain: goods', buyer('GB', 'GB980780684'), GOODS, '0 G export GB VATEX-EU-G'],
  ])('%s', (_name, one, product, expected) => {
    expect(decided(one, product)).toBe(expected);
  });

  it('takes the rate of the seller for consumers abroad where it has no OSS', () => {
    const seller = { ...GERMAN, oss: false };
    expect(decided(buyer('FR'), SERVICE, seller)).toBe('0.19 S origin DE -');
    expect(decided(buyer('FR', FRENCH_ID), SERVICE, seller)).toBe('0 AE reverse_charge FR VATEX-EU-AE');
  });

  it('takes no VAT for a small business, wherever the buyer is', () => {
    const seller = { ...GERMAN, small_business: true };
    const expected = '0 E small_business DE Exempt from VAT for small businesses';
    for (const one of [buyer('DE'), buyer('FR'), buyer('FR', FRENCH_ID), buyer('US')]) {
      expect(decided(one, SERVICE, seller)).toBe(expected);
    }
  });

  it('exempts exempt products within the EU', () => {
    const exempt = { ...SERVICE, tax_category: 'exempt' } as const;
    expect(decided(buyer('DE'), exempt)).toBe('0 E exempt DE Exempt from VAT');
    expect(decided(buyer('FR', FRENCH_ID), exempt)).toBe('0 E exempt FR Exempt from VAT');
    expect(decided(buyer('US'), exempt)).toBe('0 O outside_scope US VATEX-EU-O');
  });

  it('takes reduced rates that the company has given, and else the standard rate', () => {
    const reduced = { ...GOODS, tax_category: 'reduced' } as const;
    const books = { ...GOODS, tax_category: 'books' } as const;
    expect(decided(buyer('DE'), reduced)).toBe('0.07 S domestic DE -');
    expect(decided(buyer('FR'), books)).toBe('0.055 S oss FR -');
    expect(decided(buyer('IE'), books)).toBe('0 Z oss IE -');
    expect(decideTax(GERMAN, buyer('FR'), reduced, AT)).toEqual({
      vat: 0.2,
      tax: {
        ...{ category: 'S', rule: 'oss', country: 'FR', reason: null, reason_code: null },
        standard_for: 'reduced',
      },
    });
  });

  it.each([
    ['2020-06-30T21:59:59Z', 0.19],
    ['2020-06-30T22:00:00Z', 0.16],
    ['2020-12-31T22:59:59Z', 0.16],
    ['2020-12-31T23:00:00Z', 0.19],
  ])('counts the days of the seller: at %s the German rate is %d', (at, rate) => {
    expect(decideTax(GERMAN, buyer('DE'), SERVICE, new Date(at)).vat).toBe(rate);
  });

  it.each([
    ['EE', '2025-06-30', 0.22],
    ['EE', '2025-07-01', 0.24],
    ['FI', '2024-08-31', 0.24],
    ['FI', '2024-09-01', 0.255],
    ['RO', '2025-07-31', 0.19],
    ['RO', '2025-08-01', 0.21],
    ['SK', '2024-12-31', 0.2],
    ['SK', '2025-01-01', 0.23],
  ])('knows that %s has on %s the rate %d', (country, day, rate) => {
    expect(decideTax(GERMAN, buyer(country), SERVICE, new Date(`${day}T12:00:00Z`)).vat).toBe(rate);
  });

  it('takes a rate of the company from its first day on, the latest one first', () => {
    const rates = [
      { country: 'FR', tax_category: 'standard', rate: 0.22, from: '2027-01-01' },
      { country: 'FR', tax_category: 'standard', rate: 0.21, from: '2026-07-01' },
    ] as const;
    const on = (day: string): number =>
      decideTax({ ...GERMAN, rates }, buyer('FR'), SERVICE, new Date(`${day}T12:00:00Z`)).vat;
    expect(['2026-06-30', '2026-07-01', '2026-12-31', '2027-01-01'].map(on)).toEqual([0.2, 0.21, 0.21, 0.22]);
  });

  it('keeps the VAT id with the taxes that depend on it, and with no others', () => {
    const goods = decideTax(GERMAN, buyer('GB', 'XI980780684'), GOODS, AT).tax;
    expect(goods).toMatchObject({ rule: 'intra_community', country: 'GB', vat_id: 'XI980780684' });
    const service = decideTax(GERMAN, buyer('FR', FRENCH_ID), SERVICE, AT).tax;
    expect(service).toMatchObject({ rule: 'reverse_charge', country: 'FR', vat_id: FRENCH_ID });
    const others = [
      decideTax(GERMAN, buyer('DE', 'DE136695976'), SERVICE, AT),
      decideTax(GERMAN, buyer('GB', 'XI980780684'), SERVICE, AT),
      decideTax({ ...GERMAN, small_business: true }, buyer('FR', FRENCH_ID), SERVICE, AT),
    ];
    expect(others.filter(({ tax }) => 'vat_id' in tax)).toEqual([]);
  });

  it('refuses a seller outside the EU', () => {
    expect(() => decideTax({ ...GERMAN, country: 'CH' }, buyer('CH'), SERVICE, AT)).toThrow(
      'CH is outside the EU',
    );
  });

  it('has a reason for each amount without VAT, and none for the others', () => {
    const countries = ['DE', 'FR', 'GR', 'IE', 'MC', 'CH', 'US', 'GB', null];
    const ids = [null, FRENCH_ID, 'DE136695976', 'EL094259216', 'XI980780684', 'nonsense'];
    fc.assert(
      fc.property(
        fc.record({
          seller: fc.record({
            country: fc.constantFrom('DE', 'FR', 'GR', 'MC'),
            oss: fc.boolean(),
            small_business: fc.boolean(),
          }),
          one: fc.record({ country: fc.constantFrom(...countries), vat_id: fc.constantFrom(...ids) }),
          product: fc.record({
            tax_category: fc.constantFrom(...PRODUCT_TAX_CATEGORIES),
            tax_supply: fc.constantFrom(...TAX_SUPPLIES),
          }),
        }),
        ({ seller, one, product }) => {
          const { vat, tax } = decideTax({ ...GERMAN, ...seller }, one, product, AT);
          expect(tax.reason === null).toBe(tax.category === 'S' || tax.category === 'Z');
          expect(vat > 0).toBe(tax.category === 'S');
        },
      ),
    );
  });
});

describe('contradictsTax', () => {
  const unconfirmed = (country: string, card_country: string | null): TaxBuyer => ({
    ...buyer(country),
    card_country,
  });
  const contradicts = (one: TaxBuyer, card: string | null, product = SERVICE, seller = GERMAN): boolean => {
    const { vat: rate, tax } = decideTax(seller, one, product, AT);
    return contradictsTax(seller, { ...one, card_country: card }, { rate, tax }, AT);
  };

  it.each([
    ['a card of the address', 'LU', 'LU', false],
    ['a card of the seller, with a higher rate', 'LU', 'DE', true],
    ['a card of another country, with a higher rate', 'LU', 'HU', true],
    ['a card of a country with a lower rate', 'HU', 'DE', false],
    ['a card from outside the EU', 'LU', 'US', false],
    ['an address outside the EU, and a card in it', 'US', 'DE', true],
    ['no card, for which the seller stands', 'LU', null, true],
  ])('%s', (_, country, card, is) => {
    expect(contradicts(unconfirmed(country, country), card)).toBe(is);
    expect(contradictsTax(GERMAN, buyer(country), { rate: 0.01, tax: taxOf(country) }, AT)).toBe(false);
  });

  it('compares the rates of the category of the product', () => {
    const books: TaxedProduct = { ...SERVICE, tax_category: 'books' };
    expect(contradicts(unconfirmed('FR', 'FR'), 'IE', books)).toBe(false);
    expect(contradicts(unconfirmed('IE', 'IE'), 'FR', books)).toBe(true);
    const reduced: TaxedProduct = { ...SERVICE, tax_category: 'reduced' };
    expect(contradicts(unconfirmed('DE', 'DE'), 'LU', reduced)).toBe(true);
  });

  it.each([
    ['by a VAT id that counts', { ...unconfirmed('FR', 'FR'), vat_id: FRENCH_ID }, SERVICE, GERMAN],
    ['where the product is exempt', unconfirmed('LU', 'LU'), { ...SERVICE, tax_category: 'exempt' }, GERMAN],
    ['of a small business', unconfirmed('LU', 'LU'), SERVICE, { ...GERMAN, small_business: true }],
    ['without the One Stop Shop', unconfirmed('LU', 'LU'), SERVICE, { ...GERMAN, oss: false }],
  ] as const)('has nothing to say %s', (_, one, product, seller) => {
    expect(contradicts(one, 'HU', product, seller)).toBe(false);
  });
});

describe('priceLines with decided tax', () => {
  const line = { price: 10, discount: 0, quantity: 1, item_discount: 0, sub_products: [] };
  const priced = (one: TaxBuyer, tax_behavior: 'inclusive' | 'exclusive'): [number, number, string][] => {
    const lines = [
      { product: 'tea', ...line, ...decideTax(GERMAN, one, GOODS, AT) },
      { product: 'rice', ...line, ...decideTax(GERMAN, one, { ...GOODS, tax_category: 'reduced' }, AT) },
      { product: 'advice', ...line, ...decideTax(GERMAN, one, SERVICE, AT) },
    ];
    const { vat } = priceLines({ currency: 'EUR', tax_behavior, lines });
    return vat.map(({ gross_minor, vat_minor, tax }) => [gross_minor, vat_minor, tax?.category ?? '']);
  };

  it('has one group for each rate, and where no VAT is due for each category', () => {
    expect(priced(buyer('DE'), 'inclusive')).toEqual([
      [1000, 65, 'S'],
      [2000, 319, 'S'],
    ]);
    expect(priced(buyer('DE'), 'exclusive')).toEqual([
      [1070, 70, 'S'],
      [2380, 380, 'S'],
    ]);
    // Tea and rice have the standard rate of France: none is known for reduced products.
    expect(priced(buyer('FR'), 'inclusive')).toEqual([[3000, 500, 'S']]);
    expect(priced(buyer('US'), 'exclusive')).toEqual([
      [2000, 0, 'G'],
      [1000, 0, 'O'],
    ]);
  });
});
