import { newId } from '@commerce/platform';

import { wakeAt } from './subscription-change.js';

const reached = new Date('2025-02-01T00:00:00Z');
const real = new Date('2026-11-21T12:00:00Z');
const earlier = new Date('2025-01-31T00:00:00Z');
const later = new Date('2025-02-02T00:00:00Z');

describe('when a sweep looks at a subscription', () => {
  it('is its due date in real time', () => {
    expect(wakeAt(later, null, { reached: real, real })).toBe(later);
  });

  it('is now for what a test clock has reached, and never for the rest', () => {
    const clock = newId();
    expect(wakeAt(earlier, clock, { reached, real })).toBe(real);
    expect(wakeAt(reached, clock, { reached, real })).toBe(real);
    expect(wakeAt(later, clock, { reached, real })).toBeNull();
  });

  it('is never while nothing is due', () => {
    expect(wakeAt(null, null, { reached: real, real })).toBeNull();
    expect(wakeAt(null, newId(), { reached, real })).toBeNull();
  });
});
