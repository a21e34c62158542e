import { Condition } from './condition.js';

describe('Condition', () => {
  it('is waited for only while it does not hold', async () => {
    await new Condition().until(() => true);
  });

  it('lets go of those for whom it holds now, and of no others', async () => {
    const condition = new Condition();
    let count = 0;
    const passed: number[] = [];
    const waits = [1, 2].map((number) =>
      condition.until(() => count >= number).then(() => passed.push(number)),
    );
    for (const expected of [[1], [1, 2]]) {
      count += 1;
      condition.changed();
      await new Promise((resolve) => setImmediate(resolve));
      expect(passed).toEqual(expected);
    }
    await Promise.all(waits);
  });

  it('is waited for no longer than asked', async () => {
    const started = performance.now();
    await new Condition().until(() => false, 20);
    expect(performance.now() - started).toBeGreaterThan(15);
    await new Condition().until(() => false, 0);
  });
});
