import fc from 'fast-check';

import { ORDER_STATUSES, type OrderStatus } from './order-lifecycle.js';
import { settleOrder, standingOf, type PaymentStanding } from './order-settlement.js';

const STANDINGS: readonly PaymentStanding[] = [
  'under_way',
  'requires_auth',
  'failed',
  'collected',
  'refunded',
];

function settled(
  status: OrderStatus,
  before: PaymentStanding,
  after: PaymentStanding,
  isCurrent = true,
): OrderStatus | 'give back' | null {
  const { edge, giveBack } = settleOrder({ status, isCurrent, before, after });
  return giveBack ? 'give back' : (edge?.to ?? null);
}

describe('an order that waits', () => {
  it.each(['PENDING_PAYMENT', 'REQUIRES_AUTH'] as const)('as %s is paid by any payment of it', (status) => {
    for (const isCurrent of [true, false]) {
      for (const before of ['under_way', 'requires_auth', 'failed'] as const) {
        expect(settled(status, before, 'collected', isCurrent)).toBe('PAID');
      }
    }
  });

  it('follows the authentication that its payment asks for', () => {
    expect(settled('PENDING_PAYMENT', 'under_way', 'requires_auth')).toBe('REQUIRES_AUTH');
    expect(settled('REQUIRES_AUTH', 'requires_auth', 'under_way')).toBeNull();
    expect(settled('REQUIRES_AUTH', 'under_way', 'failed')).toBe('PENDING_PAYMENT');
    expect(settled('PENDING_PAYMENT', 'under_way', 'failed')).toBeNull();
  });

  it('does not follow an abandoned payment', () => {
    expect(settled('PENDING_PAYMENT', 'under_way', 'requires_auth', false)).toBeNull();
    expect(settled('REQUIRES_AUTH', 'under_way', 'failed', false)).toBeNull();
  });
});

describe('money that an order does not need', () => {
  it.each(['CANCELLED', 'PAID', 'REFUNDED'] as const)('is given back where it is %s', (status) => {
    expect(settled(status, 'failed', 'collected', false)).toBe('give back');
    expect(settled(status, 'requires_auth', 'collected')).toBe('give back');
  });
});

describe('a paid order', () => {
  it('is refunded with its payment, and paid again where the bank returns the refund', () => {
    expect(settled('PAID', 'collected', 'refunded')).toBe('REFUNDED');
    expect(settled('REFUNDED', 'refunded', 'collected')).toBe('PAID');
    expect(settled('PAID', 'collected', 'collected')).toBeNull();
  });

  it('is not refunded by the refund of another payment', () => {
    expect(settled('PAID', 'collected', 'refunded', false)).toBeNull();
  });
});

describe('a disputed payment', () => {
  const disputed = { status: 'DISPUTED', amount: 20, currency: 'EUR' } as const;

  it('stays refunded where all of it was refunded, and collected otherwise', () => {
    expect(standingOf({ ...disputed, refunded_amount: 20 })).toBe('refunded');
    expect(standingOf({ ...disputed, refunded_amount: 19.99 })).toBe('collected');
    expect(standingOf({ ...disputed, refunded_amount: 0 })).toBe('collected');
  });

  it('leaves a refunded order unchanged, whichever side wins', () => {
    const before = standingOf({ ...disputed, status: 'REFUNDED', refunded_amount: 20 });
    const during = standingOf({ ...disputed, refunded_amount: 20 });
    expect(settled('REFUNDED', before, during)).toBeNull();
    expect(settled('REFUNDED', during, before)).toBeNull();
  });
});

describe('any changes of payments', () => {
  it('money that comes in is needed or refunded; nothing else is refunded', () => {
    const change = fc.record({
      status: fc.constantFrom(...ORDER_STATUSES),
      isCurrent: fc.boolean(),
      before: fc.constantFrom(...STANDINGS),
      after: fc.constantFrom(...STANDINGS),
    });
    fc.assert(
      fc.property(change, (one) => {
        const { edge, giveBack } = settleOrder(one);
        const had = one.before === 'collected' || one.before === 'refunded';
        const has = one.after === 'collected' || one.after === 'refunded';
        expect(giveBack).toBe(!had && has && edge?.to !== 'PAID');
        if (one.status === 'CANCELLED') expect(edge).toBeNull();
      }),
    );
  });
});
