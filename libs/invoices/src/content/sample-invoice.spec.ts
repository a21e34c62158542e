import { toMinor } from '@commerce/kernel';

import { SAMPLE_INVOICE } from './sample-invoice.js';

describe('the sample invoice', () => {
  const { lines, taxes, totals, credit_applied, paid, currency } = SAMPLE_INVOICE;
  const minor = (amount: number): number => toMinor(amount, currency);
  const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + minor(one), 0);

  it.each(['net', 'tax', 'gross'] as const)('has lines and taxes that add up to its total %s', (field) => {
    expect(sum(lines.map((line) => line[field]))).toBe(minor(totals[field]));
    expect(sum(taxes.map((tax) => tax[field]))).toBe(minor(totals[field]));
  });

  it('is paid in full', () => {
    expect(minor(credit_applied) + minor(paid)).toBe(minor(totals.gross));
  });

  it('takes the discount off each line', () => {
    for (const { subtotal, discount, net } of lines) {
      expect(minor(subtotal) - minor(discount)).toBe(minor(net));
    }
  });
});
