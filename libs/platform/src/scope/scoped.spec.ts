import { setImmediate as turn } from 'node:timers/promises';

import { Scoped } from './scoped.js';

describe('Scoped values', () => {
  it('hold in all that runs within, each apart from the others', async () => {
    const [one, other] = [new Scoped<string>(), new Scoped<number>()];
    const seen = (): unknown[] => [one.get(), other.get()];
    const inner = await one.run('a', async () => {
      const before = seen();
      const within = await other.run(1, () => one.run('b', async () => (await turn(), seen())));
      await turn();
      return [before, within, seen()];
    });
    expect(inner).toEqual([
      ['a', undefined],
      ['b', 1],
      ['a', undefined],
    ]);
    expect(seen()).toEqual([undefined, undefined]);
  });
});
