import { newId } from '@commerce/records';

import { isOffSession, sessionEnd } from './session.js';

const START = new Date('2025-06-01T12:00:00Z');
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);

describe('the first payment of a subscription', () => {
  const started = { in_session_until: sessionEnd({ role: 'user' }, START), payments: [] };

  it('is made in session right after its customer has started it', () => {
    expect([0, 10, 11].map((minutes) => isOffSession(started, later(minutes)))).toEqual([false, false, true]);
  });

  it('is made off session where an admin has started it', () => {
    const in_session_until = sessionEnd({ role: 'admin' }, START);
    expect(isOffSession({ in_session_until, payments: [] }, START)).toBe(true);
  });

  it('is the only one in session', () => {
    expect(isOffSession({ ...started, payments: [newId()] }, START)).toBe(true);
  });
});
