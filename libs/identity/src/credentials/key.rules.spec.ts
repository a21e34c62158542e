import fc from 'fast-check';

import { hashOf, matches, newSecret, readKey, writeKey, type KeyText } from './key.rules.js';

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

  it('are nothing else', () => {
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
