import { newId } from '@commerce/records';

import { wakeAt } from './subscription-change.js';

const business = new Date('2025-02-01T00:00:00Z');
const real = new Date('2026-11-21T12:00:00Z');
const earlier = new Date('2025-01-31T00:00:00Z');
const later = new Date('2025-02-02T00:00:00Z');

describe('the date at which a sweep reads a subscription', () => {
  it('is its due date in real time', () => {
    expect(wakeAt(later, null, { business: real, real })).toBe(later);
  });

  it('is now for dates that a test clock has reached, and never for later ones', () => {
    const clock = newId();
    expect(wakeAt(earlier, clock, { business, real })).toBe(real);
    expect(wakeAt(business, clock, { business, real })).toBe(real);
    expect(wakeAt(later, clock, { business, real })).toBeNull();
  });

  it('is never while nothing is due', () => {
    expect(wakeAt(null, null, { business: real, real })).toBeNull();
    expect(wakeAt(null, newId(), { business, real })).toBeNull();
  });
});
