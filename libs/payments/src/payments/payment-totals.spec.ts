import { totalsOf, type PaymentGroup } from './payment-totals.js';

const group = (values: Partial<PaymentGroup>): PaymentGroup => ({
  currency: 'EUR',
  status: 'SUCCEEDED',
  amount: 0,
  refunded: 0,
  payments: 1,
  ...values,
});

const NOTHING = { payments: 0, collected: 0, refunded: 0, at_risk: 0, failed: 0, open: 0 };

describe('totalsOf', () => {
  it('adds up by currency what became of payments', () => {
    const groups = [
      group({ amount: 30.1, payments: 2 }),
      group({ amount: 20.2, refunded: 5, status: 'PARTIALLY_REFUNDED' }),
      group({ amount: 7, status: 'FAILED' }),
      group({ amount: 8, status: 'FAILED' }),
      group({ amount: 1, status: 'REQUIRES_AUTH' }),
      group({ amount: 2, status: 'UNKNOWN' }),
      group({ amount: 900, currency: 'JPY' }),
    ];
    expect(totalsOf(groups)).toEqual([
      { currency: 'EUR', payments: 7, collected: 50.3, refunded: 5, at_risk: 1, failed: 15, open: 2 },
      { ...NOTHING, currency: 'JPY', payments: 1, collected: 900 },
    ]);
  });

  it('is exact where sums of decimals are not', () => {
    expect(totalsOf([group({ amount: 0.1 + 0.2 })])[0]?.collected).toBe(0.3);
  });

  it('of nothing is nothing', () => {
    expect(totalsOf([])).toEqual([]);
  });
});
