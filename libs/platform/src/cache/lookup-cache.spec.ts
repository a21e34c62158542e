import { LOOKUP_MAX_AGE_MS, LookupCache } from './lookup-cache.js';

describe('Recent look-ups', () => {
  function world(): {
    cache: LookupCache<number>;
    looked: string[];
    pass: (ms: number) => void;
    fail: () => void;
  } {
    // The library takes an age of 0 for none; no steady clock shows it.
    let now = 1;
    let failing = false;
    const looked: string[] = [];
    const lookUp = async (key: string): Promise<number> => {
      looked.push(key);
      if (failing) throw new Error('away');
      return looked.length;
    };
    const cache = new LookupCache(lookUp, { now: () => now });
    return { cache, looked, pass: (ms) => (now += ms), fail: () => (failing = true) };
  }

  it('are remembered for five seconds and no longer', async () => {
    const { cache, looked, pass } = world();
    expect(await cache.get('a')).toBe(1);
    pass(LOOKUP_MAX_AGE_MS - 1);
    expect(await cache.get('a')).toBe(1);
    pass(1);
    expect(await cache.get('a')).toBe(2);
    expect(looked).toEqual(['a', 'a']);
  });

  it('are made once for requests at the same time', async () => {
    const { cache, looked } = world();
    expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).toEqual([1, 1, 2]);
    expect(looked).toEqual(['a', 'b']);
  });

  it('are not remembered when they failed or were forgotten', async () => {
    const { cache, looked, fail } = world();
    await cache.get('a');
    cache.forget('a');
    fail();
    await expect(cache.get('a')).rejects.toThrow('away');
    await expect(cache.get('a')).rejects.toThrow('away');
    expect(looked).toHaveLength(3);
  });

  it('remember that there is nothing, too', async () => {
    let looked = 0;
    const cache = new LookupCache(async () => {
      looked += 1;
      return null;
    });
    expect([await cache.get('a'), await cache.get('a'), looked]).toEqual([null, null, 1]);
  });

  it('are as old as their start, however long they took', async () => {
    let now = 1;
    let looked = 0;
    const lookUp = async (): Promise<number> => {
      now += 4000;
      looked += 1;
      return looked;
    };
    const cache = new LookupCache(lookUp, { now: () => now });
    await cache.get('a');
    now += 999;
    expect(await cache.get('a')).toBe(1);
    now += 1;
    expect(await cache.get('a')).toBe(2);
  });

  it('give their value to who waits, but keep none, when they are forgotten meanwhile', async () => {
    const answers: ((value: number) => void)[] = [];
    const cache = new LookupCache(() => new Promise<number>((resolve) => answers.push(resolve)));
    const first = cache.get('a');
    cache.forget('a');
    const second = cache.get('a');
    answers[0]?.(1);
    answers[1]?.(2);
    expect([await first, await second, await cache.get('a')]).toEqual([1, 2, 2]);
  });

  it('keep no more than 10,000', async () => {
    let looked = 0;
    const cache = new LookupCache(async (key) => {
      looked += 1;
      return key;
    });
    for (let index = 0; index <= 10_000; index += 1) await cache.get(String(index));
    await cache.get('0');
    expect(looked).toBe(10_002);
  });
});
