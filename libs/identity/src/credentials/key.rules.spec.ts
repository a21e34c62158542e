import { DAY_MS } from '@commerce/kernel';
import fc from 'fast-check';

import {
  expiryWithin,
  hashOf,
  isLive,
  matches,
  newSecret,
  overlapEnd,
  readKey,
  writeKey,
  type KeyText,
} from './key.rules.js';

const keys = fc.record<KeyText>({
  kind: fc.constantFrom('api', 'service'),
  mode: fc.constantFrom('test', 'live'),
  id: fc.stringMatching(/^[0-9a-f]{24}$/),
  secret: fc.stringMatching(/^[0-9a-f]{64}$/),
});

describe('Keys', () => {
  it('are read as they were written', () => {
    fc.assert(fc.property(keys, (key) => expect(readKey(writeKey(key))).toEqual(key)));
  });

  it('are no other texts', () => {
    for (const text of ['', 'pk_test', 'pk_prod_x_y', `pk_test_${'a'.repeat(24)}_${'g'.repeat(64)}`]) {
      expect(readKey(text)).toBeNull();
    }
    fc.assert(fc.property(fc.string(), (text) => expect(readKey(text)).toBeNull()));
  });

  it('hold 256 random bits', () => {
    const secrets = Array.from({ length: 100 }, newSecret);
    expect(secrets.every((secret) => /^[0-9a-f]{64}$/.test(secret))).toBe(true);
    expect(new Set(secrets).size).toBe(100);
  });

  it('match their own hash only', () => {
    const secret = newSecret();
    expect(matches(secret, hashOf(secret))).toBe(true);
    expect(matches(newSecret(), hashOf(secret))).toBe(false);
    expect(matches(secret, 'ab')).toBe(false);
  });
});

describe('The life of a key', () => {
  const now = new Date('2026-03-01T12:00:00Z');
  const at = (days: number): Date => new Date(now.getTime() + days * DAY_MS);
  const until = (expires: Date | null): { expires: Date | null; revoked: null } => ({
    expires,
    revoked: null,
  });
  const days = fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 400 }).map(at));

  it('ends when it expires or is revoked', () => {
    expect(isLive(until(null), now)).toBe(true);
    expect(isLive(until(at(1)), now)).toBe(true);
    expect(isLive(until(now), now)).toBe(false);
    expect(isLive({ expires: null, revoked: at(-1) }, now)).toBe(false);
  });

  it('never outlasts its maker', () => {
    fc.assert(
      fc.property(days, days, (maker, asked) => {
        const late = asked !== null && maker !== null && asked > maker;
        if (late) expect(() => expiryWithin(until(maker), asked, now)).toThrow('expires must not lie after');
        else expect(expiryWithin(until(maker), asked, now)).toEqual(asked ?? maker);
      }),
    );
  });

  it('is never prolonged by rolling, and ends within seven days', () => {
    expect(overlapEnd(until(null), null, now)).toBeNull();
    expect(overlapEnd(until(null), at(7), now)).toEqual(at(7));
    expect(overlapEnd(until(at(3)), at(3), now)).toEqual(at(3));
    expect(() => overlapEnd(until(at(3)), at(4), now)).toThrow('expires already');
    expect(() => overlapEnd(until(null), at(8), now)).toThrow('seven days');
    expect(() => overlapEnd(until(null), now, now)).toThrow('in the future');
  });
});
