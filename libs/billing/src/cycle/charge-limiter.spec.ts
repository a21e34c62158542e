import { newId } from '@commerce/records';

import { ChargeLimiter } from './charge-limiter.js';

/** A task that ends on request. */
function task(): { readonly end: () => void; readonly done: Promise<void> } {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end: () => end(), done };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ChargeLimiter', () => {
  it('runs up to its limit concurrently, companies round robin', async () => {
    const limiter = new ChargeLimiter({ chargesAtOnce: 2 });
    const [large, small] = [newId(), newId()];
    const started: string[] = [];
    const tasks = Array.from({ length: 6 }, task);
    const run = (company: typeof large, name: string, index: number): Promise<void> =>
      limiter.run(company, () => {
        started.push(name);
        return tasks[index]?.done ?? Promise.resolve();
      });
    const all = [0, 1, 2, 3, 4].map((index) => run(large, `large ${String(index)}`, index));
    all.push(run(small, 'small', 5));
    await settle();
    expect(started).toEqual(['large 0', 'large 1']);
    tasks[0]?.end();
    await settle();
    expect(started.slice(2)).toEqual(['large 2']);
    tasks[1]?.end();
    await settle();
    expect(started.slice(3)).toEqual(['small']);
    for (const { end } of tasks) end();
    await Promise.all(all);
    expect(started).toHaveLength(6);
  });

  it('frees its slot when the work fails', async () => {
    const limiter = new ChargeLimiter({ chargesAtOnce: 1 });
    const failing = limiter.run(newId(), () => Promise.reject(new Error('no')));
    const next = limiter.run(newId(), () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});
