import { exponentOf, isCurrency, minorStep } from './currency.js';
import { isFault } from '../faults/fault.js';

describe('currencies', () => {
  it('have the decimals of ISO 4217', () => {
    expect(['EUR', 'USD', 'HUF', 'TWD', 'XCD'].map(exponentOf)).toEqual([2, 2, 2, 2, 2]);
    expect(['JPY', 'KRW', 'VND', 'XAF', 'XOF', 'XPF', 'ISK', 'UGX'].map(exponentOf)).toEqual(
      Array.from({ length: 8 }, () => 0),
    );
    expect(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map(exponentOf)).toEqual(
      Array.from({ length: 7 }, () => 3),
    );
  });

  it('move in tens of the minor unit where there are three decimals', () => {
    expect(['JPY', 'EUR', 'KWD'].map(minorStep)).toEqual([1, 1, 10]);
  });

  it.each(['usd', 'US', 'EURO', '', 'XXX', 'XTS', 'XAU', 'XDR', 'ZZZ', '__proto__', 'constructor'])(
    'do not include %p',
    (code) => {
      expect(isCurrency(code)).toBe(false);
      expect(() => exponentOf(code)).toThrow(expect.objectContaining({ code: 'currency.unknown' }));
    },
  );

  it('are refused with a fault', () => {
    try {
      exponentOf('ABC');
    } catch (thrown) {
      expect(isFault(thrown, 'currency.unknown')).toBe(true);
    }
    expect.assertions(1);
  });
});
