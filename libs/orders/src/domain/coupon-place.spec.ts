import fc from 'fast-check';

import { judgePlace } from './coupon-place.js';

const NOTHING = {
  inFlight: false,
  waitsForCustomer: false,
  canBePaid: false,
  beingCancelled: false,
  bounded: true,
};

describe('the coupon reservation of an order, once its time is over', () => {
  it('is released where the payment has failed, or there is none', () => {
    expect(judgePlace(NOTHING)).toBe('release');
  });

  it('ends with a payment that waits for its customer, where others may want the coupon', () => {
    expect(judgePlace({ ...NOTHING, waitsForCustomer: true })).toBe('give_up');
    expect(judgePlace({ ...NOTHING, waitsForCustomer: true, bounded: false })).toBe('keep');
  });

  it('ends with the intent of a payment that failed: its client secret still pays', () => {
    expect(judgePlace({ ...NOTHING, canBePaid: true })).toBe('give_up');
    expect(judgePlace({ ...NOTHING, canBePaid: true, beingCancelled: true })).toBe('keep');
    expect(judgePlace({ ...NOTHING, canBePaid: true, bounded: false })).toBe('release');
  });

  it('is never released while money can still come in', () => {
    const flags = fc.record({
      inFlight: fc.boolean(),
      waitsForCustomer: fc.boolean(),
      canBePaid: fc.boolean(),
      beingCancelled: fc.boolean(),
      bounded: fc.boolean(),
    });
    fc.assert(
      fc.property(flags, (holder) => {
        if (judgePlace(holder) !== 'release') return;
        expect([holder.inFlight, holder.waitsForCustomer, holder.beingCancelled]).toEqual([
          false,
          false,
          false,
        ]);
        expect(holder.bounded && holder.canBePaid).toBe(false);
      }),
    );
  });
});
