import { totalsOf, type PaymentGroup } from './payment-totals.js';

const group = (values: Partial<PaymentGroup>): PaymentGroup => ({
  currency: 'EUR',
  status: 'SUCCEEDED',
  amount: 0,
  refunded: 0,
  debt: 0,
  payments: 1,
  ...values,
});

const NO_DEBT = { recovered: 0, failed_again: 0 };
const NOTHING = { ...NO_DEBT, payments: 0, collected: 0, refunded: 0, at_risk: 0, failed: 0, open: 0 };

describe('totalsOf', () => {
  it('adds up the outcomes of payments by currency', () => {
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
      {
        ...NO_DEBT,
        ...{ currency: 'EUR', payments: 7, collected: 50.3, refunded: 5, at_risk: 1, failed: 15, open: 2 },
      },
      { ...NOTHING, currency: 'JPY', payments: 1, collected: 900 },
    ]);
  });

  it('separates repeated failures from recovered debt', () => {
    // 30 fail, 60 with them, 90 are collected at last: none of the failed 60 remain.
    const [totals] = totalsOf([
      group({ amount: 90, debt: 30, status: 'FAILED', payments: 2 }),
      group({ amount: 90, debt: 60 }),
      group({ amount: 5, debt: 5, status: 'REQUIRES_AUTH' }),
    ]);
    expect(totals).toMatchObject({ collected: 90, recovered: 60, failed: 90, failed_again: 30 });
  });

  it('is exact where sums of decimals are not', () => {
    expect(totalsOf([group({ amount: 0.1 + 0.2 })])[0]?.collected).toBe(0.3);
  });

  it('of nothing is nothing', () => {
    expect(totalsOf([])).toEqual([]);
  });
});
