import fc from 'fast-check';

import { inLogOrder, logPages } from './log-order.js';

describe('inLogOrder', () => {
  it('keeps the order of ids where that is the order of sequences', () => {
    const events = [
      { id: '1', object: 'a', sequence: 1 },
      { id: '2', object: 'b', sequence: 1 },
      { id: '3', object: 'a', sequence: 2 },
    ];
    expect(inLogOrder([...events].reverse())).toEqual(events);
  });

  it('puts events of one object right that clocks put wrong', () => {
    const events = [
      { id: '1', object: 'a', sequence: 3 },
      { id: '2', object: 'b', sequence: 1 },
      { id: '3', object: 'a', sequence: 1 },
      { id: '4', object: 'a', sequence: 2 },
    ];
    expect(inLogOrder(events).map(({ object, sequence }) => `${object}${String(sequence)}`)).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
    ]);
  });

  it('loses nothing and never puts a later event of an object first', () => {
    const event = fc.record({
      object: fc.constantFrom('a', 'b', 'c'),
      at: fc.integer({ min: 0, max: 9999 }),
    });
    fc.assert(
      fc.property(fc.uniqueArray(event, { selector: ({ at }) => at, maxLength: 60 }), (made) => {
        const counts = new Map<string, number>();
        const events = made.map(({ object, at }) => {
          const sequence = (counts.get(object) ?? 0) + 1;
          counts.set(object, sequence);
          return { id: String(at).padStart(4, '0'), object, sequence };
        });
        const ordered = inLogOrder(events);
        expect(ordered.map(({ id }) => id).sort()).toEqual(events.map(({ id }) => id).sort());
        const seen = new Map<string, number>();
        for (const { object, sequence } of ordered) {
          expect(sequence).toBe((seen.get(object) ?? 0) + 1);
          seen.set(object, sequence);
        }
      }),
    );
  });
});

describe('logPages', () => {
  const event = fc.record({ object: fc.constantFrom('a', 'b', 'c'), at: fc.integer({ min: 0, max: 9999 }) });
  const events = fc.uniqueArray(event, { selector: ({ at }) => at, maxLength: 60 }).map((made) => {
    const counts = new Map<string, number>();
    return made.map(({ object, at }) => {
      const sequence = (counts.get(object) ?? 0) + 1;
      counts.set(object, sequence);
      return { id: String(at).padStart(4, '0'), object, sequence };
    });
  });

  it('has the order of the log when read page by page and by id within each', () => {
    fc.assert(
      fc.property(events, (made) => {
        const ordered = inLogOrder(made);
        const pages = logPages(ordered);
        const read = pages.flatMap((page) => [...page].sort((a, b) => (a.id < b.id ? -1 : 1)));
        expect(read).toEqual(ordered);
      }),
    );
  });

  it('is one page where ids and sequences agree', () => {
    const made = [1, 2, 3].map((sequence) => ({ id: String(sequence), object: 'a', sequence }));
    expect(logPages(inLogOrder(made))).toEqual([made]);
    expect(logPages([])).toEqual([]);
  });
});
