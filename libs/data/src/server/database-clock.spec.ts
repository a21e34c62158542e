import { msOf } from './database-clock.js';

describe('The time of a server', () => {
  it('is read as a date and as a number', () => {
    expect(msOf(new Date(5))).toBe(5);
    expect(msOf(5)).toBe(5);
    for (const none of [undefined, null, '5', Number.NaN, {}]) expect(msOf(none)).toBeNull();
  });
});
