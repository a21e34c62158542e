import { newId } from '@commerce/records';

import { batchesOf } from './batches.js';

describe('batches of due subscriptions', () => {
  it('hold one company each, at most so many, in order of their due dates', () => {
    const [ours, theirs] = [newId(), newId()];
    const keys = [ours, theirs, ours, ours, theirs].map((company) => ({ _id: newId(), company }));
    const [a, b, c, d, e] = keys.map(({ _id }) => _id);
    expect(batchesOf(keys, 2)).toEqual([
      { company: ours, ids: [a, c] },
      { company: theirs, ids: [b, e] },
      { company: ours, ids: [d] },
    ]);
  });

  it('are none when nothing is due', () => {
    expect(batchesOf([], 20)).toEqual([]);
  });
});
