import { invoiceNumber } from './invoice-number.js';

describe('the number of a document', () => {
  it.each([
    ['R', 'invoice', 2026, 123, 'R2026-000123'],
    ['', 'invoice', 2027, 1, '2027-000001'],
    ['R', 'credit_note', 2026, 123, 'RCN2026-000123'],
    ['', 'invoice', 2026, 1_234_567, '2026-1234567'],
  ] as const)('with the prefix %j, of %s %i, place %i, is %s', (prefix, kind, year, place, number) => {
    expect(invoiceNumber(prefix, kind, year, place)).toBe(number);
  });
});
