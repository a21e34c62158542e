import { BREAK_AFTER, CircuitBreaker, OPEN_MS } from './circuit-breaker.js';

function broken(): CircuitBreaker {
  const breaker = new CircuitBreaker();
  for (let count = 0; count < BREAK_AFTER; count += 1) {
    breaker.started();
    breaker.failed(1000);
  }
  return breaker;
}

describe('CircuitBreaker', () => {
  it('opens after ten failures in a row', () => {
    const breaker = new CircuitBreaker();
    const opened = Array.from({ length: 10 }, () => breaker.failed(0));
    expect(opened).toEqual([...Array<boolean>(9).fill(false), true]);
    expect(breaker.allowed(0, 5)).toBe(0);
  });

  it('starts counting again after a success', () => {
    const breaker = new CircuitBreaker();
    for (let count = 0; count < 9; count += 1) breaker.failed(0);
    breaker.succeeded();
    for (let count = 0; count < 9; count += 1) expect(breaker.failed(0)).toBe(false);
    expect(breaker.allowed(0, 5)).toBe(5);
  });

  it('lets one probe through after 30 s', () => {
    const breaker = broken();
    expect(breaker.allowed(1000 + OPEN_MS - 1, 5)).toBe(0);
    expect(breaker.waitMs(1000)).toBe(OPEN_MS);
    expect(breaker.allowed(1000 + OPEN_MS, 5)).toBe(1);
    breaker.started();
    expect(breaker.allowed(1000 + OPEN_MS, 5)).toBe(0);
  });

  it('closes when the probe succeeds', () => {
    const breaker = broken();
    breaker.started();
    breaker.succeeded();
    expect(breaker.isClosed).toBe(true);
    expect(breaker.allowed(1000, 5)).toBe(5);
  });

  it('opens again when the probe fails', () => {
    const breaker = broken();
    breaker.started();
    expect(breaker.failed(50_000)).toBe(true);
    expect(breaker.allowed(50_000 + OPEN_MS - 1, 5)).toBe(0);
    expect(breaker.allowed(50_000 + OPEN_MS, 5)).toBe(1);
  });

  it('lets another probe through when the first one was not made', () => {
    const breaker = broken();
    breaker.started();
    breaker.skipped();
    expect(breaker.allowed(1000 + OPEN_MS, 5)).toBe(1);
    breaker.started();
    expect(breaker.failed(1000 + OPEN_MS)).toBe(true);
  });

  it('is not opened for longer by calls that were under way when it opened', () => {
    const breaker = broken();
    expect(breaker.failed(5000)).toBe(false);
    expect(breaker.allowed(1000 + OPEN_MS, 5)).toBe(1);
  });
});
