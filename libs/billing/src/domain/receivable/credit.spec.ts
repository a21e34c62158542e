import { CreditBooks } from './credit.js';
import type { BillingPeriod } from './billing-period.js';

const period: BillingPeriod = {
  run: 0,
  anchor: new Date('2025-04-01'),
  index: 0,
  start: new Date('2025-04-01'),
  end: new Date('2025-05-01'),
  whole: true,
  base_minor: 3000,
  cuts: [],
  settled: 0,
  bills: 2,
  paid: [
    { kind: 'period', slice: '0', amount_minor: 500 },
    { kind: 'proration', slice: '0-1', amount_minor: 1000 },
    { kind: 'period', slice: '0', amount_minor: 800 },
  ],
  owed_minor: 300,
  credited_minor: 0,
};

describe('the credit of a period', () => {
  it('names a payment once, although it collected for the period twice', () => {
    const { forgiven_minor, given, kept } = new CreditBooks(300, () => 3000).credit(period, 2500);
    expect(forgiven_minor).toBe(300);
    expect(given).toEqual([
      { kind: 'period', slice: '0', amount_minor: 1200 },
      { kind: 'proration', slice: '0-1', amount_minor: 1000 },
    ]);
    expect(kept).toEqual([{ kind: 'period', slice: '0', amount_minor: 100 }]);
  });

  it('takes no more from a payment than another period has left', () => {
    const books = new CreditBooks(0, ({ kind }) => (kind === 'period' ? 900 : 0));
    expect(books.credit(period, 600).given).toEqual([{ kind: 'period', slice: '0', amount_minor: 600 }]);
    expect(books.credit({ ...period, index: 1 }, 600).given).toEqual([
      { kind: 'period', slice: '0', amount_minor: 300 },
    ]);
  });
});
