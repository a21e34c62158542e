import { setImmediate } from 'node:timers/promises';

import { SlowResults } from './slow-results.js';

/** Results that end when the test says, at a time that the test sets. */
class Computation {
  time = 0;
  readonly ends: ((value: { readonly number: number }) => void)[] = [];
  readonly results = new SlowResults<{ readonly number: number }>({
    slowMs: 1000,
    times: 10,
    longestMs: 60_000,
    replyMs: 50,
    now: () => this.time,
  });

  ask(key = 'a'): Promise<{ readonly number: number } | null> {
    return this.results.get(key, () => new Promise((resolve) => this.ends.push(resolve)));
  }

  /** Asks without waiting. */
  begin(key?: string): void {
    this.ask(key).catch(() => undefined);
  }

  async end(index: number, afterMs: number): Promise<void> {
    this.time += afterMs;
    this.ends[index]?.({ number: index });
    await setImmediate();
  }
}

describe('SlowResults', () => {
  it('computes what is quick for each caller', async () => {
    const computation = new Computation();
    const [first, second] = [computation.ask(), computation.ask()];
    await computation.end(0, 900);
    await computation.end(1, 0);
    expect([await first, await second]).toEqual([{ number: 0 }, { number: 1 }]);
    const third = computation.ask();
    await computation.end(2, 0);
    expect(await third).toEqual({ number: 2 });
  });

  it('keeps what is slow for ten times as long as it took, for its key', async () => {
    const computation = new Computation();
    const first = computation.ask();
    await computation.end(0, 2000);
    expect(await first).toEqual({ number: 0 });
    computation.time += 19_999;
    expect(await computation.ask()).toEqual({ number: 0 });
    expect(computation.ends).toHaveLength(1);
    computation.time += 1;
    computation.begin();
    computation.begin('b');
    expect(computation.ends).toHaveLength(3);
  });

  it('lets callers join what has been running for long, and goes on when they no longer wait', async () => {
    const computation = new Computation();
    const first = computation.ask();
    computation.time = 1001;
    const second = computation.ask();
    expect(computation.ends).toHaveLength(1);
    expect([await first, await second]).toEqual([null, null]);
    await computation.end(0, 30_000);
    expect(await computation.ask()).toEqual({ number: 0 });
    // Ten times as long as it took would be five minutes.
    computation.time += 60_000;
    computation.begin();
    expect(computation.ends).toHaveLength(2);
  });

  it('keeps no error', async () => {
    const results = new SlowResults<object>({ slowMs: 0, times: 1, longestMs: 1, replyMs: 1000 });
    await expect(results.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await results.get('a', () => Promise.resolve({ fine: true }))).toEqual({ fine: true });
  });
});
