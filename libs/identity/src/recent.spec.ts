import { RECENT_MS, Recent } from './recent.js';

describe('Recent look-ups', () => {
  function world(): {
    recent: Recent<number>;
    looked: string[];
    pass: (ms: number) => void;
    fail: () => void;
  } {
    let now = 0;
    let failing = false;
    const looked: string[] = [];
    const recent = new Recent(
      async (key: string) => {
        looked.push(key);
        if (failing) throw new Error('away');
        return looked.length;
      },
      () => now,
    );
    return { recent, looked, pass: (ms) => (now += ms), fail: () => (failing = true) };
  }

  it('are remembered for five seconds and no longer', async () => {
    const { recent, looked, pass } = world();
    expect(await recent.get('a')).toBe(1);
    pass(RECENT_MS - 1);
    expect(await recent.get('a')).toBe(1);
    pass(1);
    expect(await recent.get('a')).toBe(2);
    expect(looked).toEqual(['a', 'a']);
  });

  it('are made once for requests at the same time', async () => {
    const { recent, looked } = world();
    expect(await Promise.all([recent.get('a'), recent.get('a'), recent.get('b')])).toEqual([1, 1, 2]);
    expect(looked).toEqual(['a', 'b']);
  });

  it('are not remembered when they failed or were forgotten', async () => {
    const { recent, looked, fail } = world();
    await recent.get('a');
    recent.forget('a');
    fail();
    await expect(recent.get('a')).rejects.toThrow('away');
    await expect(recent.get('a')).rejects.toThrow('away');
    expect(looked).toHaveLength(3);
  });
});
