import { exponentOf, minorStep } from '@commerce/kernel';
import fc from 'fast-check';

import { fromStripeAmount, toStripeAmount } from './stripe-amounts.js';

/** https://docs.stripe.com/currencies: charged in whole units. */
const ZERO_DECIMAL = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');

describe('amounts as Stripe counts them', () => {
  it.each([
    [1999, 'EUR', 1999],
    [5, 'JPY', 5],
    [1010, 'BHD', 1010],
    [8330, 'KWD', 8330],
    [500, 'HUF', 500],
    [500, 'TWD', 500],
  ])('takes %i minor units of %s as %i', (minor, currency, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
  });

  it('counts hundredths of currencies that no longer have any', () => {
    expect(toStripeAmount(5, 'ISK')).toBe(500);
    expect(toStripeAmount(5, 'UGX')).toBe(500);
    expect(fromStripeAmount(500, 'isk')).toBe(5);
  });

  it('counts whole units of all zero-decimal currencies', () => {
    for (const currency of ZERO_DECIMAL) {
      expect(toStripeAmount(7 * 10 ** exponentOf(currency), currency)).toBe(7);
    }
  });

  it('refuses amounts that Stripe would refuse', () => {
    const refused = expect.objectContaining({ code: 'amount.not_chargeable' });
    expect(() => toStripeAmount(1005, 'BHD')).toThrow(refused);
    expect(() => toStripeAmount(150, 'MGA')).toThrow(refused);
  });

  it('round-trips', () => {
    const currency = fc.constantFrom('EUR', 'JPY', 'KWD', 'ISK', 'UGX');
    fc.assert(
      fc.property(currency, fc.integer({ min: 0, max: 10_000_000 }), (code, steps) => {
        const minor = steps * minorStep(code);
        expect(fromStripeAmount(toStripeAmount(minor, code), code.toLowerCase())).toBe(minor);
      }),
    );
  });
});
