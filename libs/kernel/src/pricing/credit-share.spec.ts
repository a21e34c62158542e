import fc from 'fast-check';

import { shareOf } from './credit-share.js';

const CARD = { minimum_minor: 50, canPay: true };

describe('shareOf', () => {
  it.each([
    [1500, 0, 0, 1500],
    [1500, 400, 400, 1100],
    // 0.20 is less than a card can pay: the balance pays 0.30 less.
    [1500, 1480, 1450, 50],
    [1500, 1451, 1450, 50],
    [1500, 1450, 1450, 50],
    [1500, 1500, 1500, 0],
    [50, 20, 0, 50],
  ])('of %d with a balance of %d: %d and %d by card', (amount, balance, applied, rest) => {
    expect(shareOf(amount, balance, CARD)).toMatchObject({ applied_minor: applied, rest_minor: rest });
  });

  it('carries a charge below the minimum that the balance cannot pay, and takes nothing for it', () => {
    expect(shareOf(40, 20, CARD)).toMatchObject({ applied_minor: 0, rest_minor: 20 });
    expect(shareOf(40, 40, CARD)).toMatchObject({ applied_minor: 40, rest_minor: 0 });
  });

  it('never asks a card for more than 0 and less than the minimum, of a charge that reaches it', () => {
    const minor = fc.integer({ min: 0, max: 5000 });
    fc.assert(
      fc.property(minor, minor, (amount, balance) => {
        fc.pre(amount >= CARD.minimum_minor);
        const { applied_minor, rest_minor } = shareOf(amount, balance, CARD);
        expect(applied_minor + rest_minor).toBe(amount);
        expect(applied_minor).toBeLessThanOrEqual(balance);
        expect(rest_minor === 0 || rest_minor >= CARD.minimum_minor).toBe(true);
        // No card pays what the balance could have paid beyond that.
        expect(rest_minor).toBeLessThanOrEqual(Math.max(amount - balance, CARD.minimum_minor));
      }),
    );
  });
});
