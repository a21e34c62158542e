import { sellerTaxOf } from './seller-tax.js';

const taxed = (currency: string, tax: number) => ({ currency, totals: { net: 0, tax, gross: 0 } });

describe('the VAT in the currency of the seller', () => {
  it.each([
    ['USD', 19, { currency: 'EUR', rate: 1.085, day: '2026-11-25' }, 17.51],
    ['JPY', 1900, { currency: 'EUR', rate: 163.5, day: '2026-11-25' }, 11.62],
    ['KWD', 1.9, { currency: 'EUR', rate: 0.333, day: '2026-11-25' }, 5.71],
    ['USD', 19, { currency: 'SEK', rate: 0.09845735, day: '2026-11-25' }, 192.98],
  ])('of %s %d is rounded once', (currency, tax, conversion, expected) => {
    expect(sellerTaxOf(taxed(currency, tax), conversion)).toEqual({ ...conversion, tax: expected });
  });
});
