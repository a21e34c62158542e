import { newId, type Id } from '@commerce/records';

import { roundRobinBatches } from './round-robin-batches.js';

const RULE = { size: 20, queues: 8 };

function due(company: Id, count: number): { _id: Id; company: Id }[] {
  return Array.from({ length: count }, () => ({ _id: newId(), company }));
}

describe('batches that give companies fair shares', () => {
  it('let the first batch of every company come before the second of any', () => {
    const [many, one, other] = [newId(), newId(), newId()];
    const batches = roundRobinBatches([...due(many, 5000), ...due(one, 1), ...due(other, 3)], RULE);
    expect(batches.slice(0, 3).map(({ company }) => company)).toEqual([many, one, other]);
    expect(batches.slice(0, 3).map(({ turn }) => turn)).toEqual([0, 0, 0]);
  });

  it('bound the waiting batches of one company', () => {
    const batches = roundRobinBatches(due(newId(), 5000), RULE);
    expect(batches.map(({ queue }) => queue).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(batches.every(({ ids }) => ids.length === 20)).toBe(true);
  });

  it('are one for a small company, in order of due dates', () => {
    const keys = due(newId(), 20);
    expect(roundRobinBatches(keys, RULE)).toEqual([
      { company: keys[0]?.company, queue: 0, turn: 0, ids: keys.map(({ _id }) => _id) },
    ]);
  });

  it('hold a subscription in the same queue while the backlog shrinks', () => {
    const keys = due(newId(), 300);
    const queuesOf = (left: typeof keys): Map<string, number> =>
      new Map(
        roundRobinBatches(left, RULE).flatMap(({ queue, ids }) => ids.map((id) => [id.toHexString(), queue])),
      );
    const first = queuesOf(keys);
    for (const left of [200, 100, 50, 21]) {
      const later = [...queuesOf(keys.slice(-left))].filter(([id]) => first.has(id));
      expect(later.every(([id, queue]) => first.get(id) === queue)).toBe(true);
    }
  });

  it('hold no subscription twice', () => {
    const batches = roundRobinBatches(due(newId(), 300), RULE);
    const ids = batches.flatMap((batch) => batch.ids.map((id) => id.toHexString()));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
