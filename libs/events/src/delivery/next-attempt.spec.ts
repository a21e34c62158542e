import type { SendResult } from '@commerce/platform';
import fc from 'fast-check';

import { judge, retryAfterMs, type Verdict } from './next-attempt.js';

const DELAYS = [30_000, 600_000, 7_200_000, 79_200_000];
const NOW = new Date(Date.UTC(2026, 0, 1));

function answered(status: number, retryAfter: string | null = null): SendResult {
  return { kind: 'answered', status, reply: '', retryAfter, durationMs: 1 };
}

function after(result: SendResult, number: number, random = 0.5, isLast = number > DELAYS.length): Verdict {
  return judge(result, { number, isLast }, { delaysMs: DELAYS, random: () => random }, NOW);
}

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('succeeded with %i', (status) =>
    expect(after(answered(status), 1)).toEqual({ kind: 'succeeded' }),
  );

  it.each([301, 302, 304, 307, 400, 401, 404, 409, 429, 500, 503, 599])('failed with %i', (status) =>
    expect(after(answered(status), 1).kind).toBe('again'),
  );

  it('failed without an answer', () =>
    expect(after({ kind: 'failed', reason: 'timeout', detail: '', durationMs: 10_000 }, 1).kind).toBe(
      'again',
    ));

  it('that was told 410 has no successor', () => expect(after(answered(410), 1)).toEqual({ kind: 'gone' }));

  it('is the last one when it is the fifth', () => {
    expect([1, 2, 3, 4, 5].map((number) => after(answered(500), number).kind)).toEqual([
      'again',
      'again',
      'again',
      'again',
      'exhausted',
    ]);
  });

  it('that an operator asked for is the last one', () =>
    expect(after(answered(500), 2, 0.5, true)).toEqual({ kind: 'exhausted' }));

  it('is followed after 30 s, 10 min, 2 h, 22 h', () => {
    expect([1, 2, 3, 4].map((number) => after(answered(500), number))).toEqual(
      DELAYS.map((delayMs) => ({ kind: 'again', delayMs })),
    );
  });

  it('is followed within 20 % of its wait', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (number, random) => {
          const verdict = after(answered(500), number, random);
          const base = DELAYS[number - 1] ?? 0;
          if (verdict.kind !== 'again') throw new Error('it must be tried again');
          expect(verdict.delayMs).toBeGreaterThanOrEqual(base * 0.8);
          expect(verdict.delayMs).toBeLessThanOrEqual(base * 1.2);
        },
      ),
    );
  });

  it.each([
    ['-5', 30_000],
    ['0', 30_000],
    ['45', 45_000],
    ['60', 60_000],
    ['1000000000', 60_000],
    ['99999999999999999999', 60_000],
    ['garbage', 30_000],
    ['', 30_000],
    ['Thu, 01 Jan 2026 00:00:50 GMT', 50_000],
    ['Thu, 01 Jan 2026 01:00:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', 30_000],
    ['2026-01-01T00:00:50Z', 30_000],
  ])('that was told to come back after "%s" is followed after %i ms', (value, delayMs) => {
    expect(after(answered(429, value), 1)).toEqual({ kind: 'again', delayMs });
  });

  it('never waits less than its step nor more than twice that, whatever it is told', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 4 }), (value, number) => {
        const verdict = after(answered(503, value), number);
        const base = DELAYS[number - 1] ?? 0;
        if (verdict.kind !== 'again') throw new Error('it must be tried again');
        expect(verdict.delayMs).toBeGreaterThanOrEqual(base);
        expect(verdict.delayMs).toBeLessThanOrEqual(2 * base);
      }),
    );
  });
});

describe('retryAfterMs', () => {
  it('reads seconds and HTTP dates', () => {
    expect(retryAfterMs('7', NOW)).toBe(7000);
    expect(retryAfterMs('Thu, 01 Jan 2026 00:00:07 GMT', NOW)).toBe(7000);
    expect(retryAfterMs('1.5', NOW)).toBe(0);
  });
});
