import { minorText, percentText } from './explanation.js';

describe('an explanation', () => {
  it('writes amounts and fractions as people do', () => {
    expect([minorText(1999, 'EUR'), minorText(500, 'JPY'), percentText(0.07), percentText(1 / 3)]).toEqual([
      '19.99 EUR',
      '500 JPY',
      '7 %',
      '33.3333333333 %',
    ]);
  });
});
