import { idIn } from '@commerce/testing';
import fc from 'fast-check';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

/** More than a search scans in the list before it queries the index. */
const COUNT = 1300;
const BULK = 500;
/** The last ones are rare. */
const SYLLABLES = ['ka', 'FFee', 'mü', 'hle', 'É', '😀', 'aa', ' ', '1', '7'];

interface Named {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/** A name derived from its number, so that a failure can be reproduced. */
function nameOf(number: number): string {
  const name = [1, 7, 49]
    .map((step) => SYLLABLES[Math.floor(number / step) % SYLLABLES.length] ?? '')
    .join('');
  return number % 640 === 5 ? `${name}zq` : `${name}x`;
}

describe('A search in a list of 1,300', () => {
  it('gives the pages and the total of a plain scan, for any length and filters', async () => {
    const { admin } = await world.stranger();
    const all: Named[] = [];
    for (let from = 0; from < COUNT; from += BULK) {
      const items = Array.from({ length: Math.min(BULK, COUNT - from) }, (_, at) => ({
        name: nameOf(from + at),
        status: (from + at) % 3 === 0 ? 'IDLE' : 'DONE',
      }));
      const made = await admin.made<any[]>('/resources/bulk', items);
      all.push(...made.map((one) => ({ id: idIn(one), name: one.name, status: one.status })));
    }
    const cut = fc.record({
      which: fc.nat(COUNT - 1),
      from: fc.nat(6),
      length: fc.integer({ min: 1, max: 5 }),
    });
    const query = fc.oneof(
      fc.constantFrom('zq', 'q', 'x', 'k', 'mü', 'É', '😀', 'qx', '71', 'hlex', '~'),
      cut.map(({ which, from, length }) => [...nameOf(which)].slice(from, from + length).join('') || 'x'),
    );
    const asked = fc.record({
      query,
      status: fc.constantFrom(undefined, 'IDLE'),
      size: fc.constantFrom(3, 20, 100),
      page: fc.constantFrom(0, 1, 5),
      isNewestFirst: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ query, status, size, page, isNewestFirst }) => {
        const lowered = query.toLowerCase();
        const matching = all.filter(
          (one) => one.name.toLowerCase().includes(lowered) && (status ?? one.status) === one.status,
        );
        const sorted = [...matching].sort((a, b) => (a.id < b.id === isNewestFirst ? 1 : -1));
        const sort = isNewestFirst ? '-created' : 'created';
        const narrowed: Record<string, string> = status === undefined ? {} : { status };
        const found = await admin.get('/resources/search', {
          query,
          ...narrowed,
          size,
          page,
          sort,
          total: true,
        });
        expect(found.status).toBe(200);
        const expected = sorted.slice(page * size, (page + 1) * size);
        expect(found.body.map((one: any) => idIn(one))).toEqual(expected.map(({ id }) => id));
        expect(found.headers['x-total-count']).toBe(String(matching.length));
        const last = expected.at(-1);
        if (last === undefined) return;
        const next = await admin.read<any[]>('/resources/search', {
          query,
          ...narrowed,
          size,
          sort,
          after: last.id,
        });
        const following = sorted.slice((page + 1) * size, (page + 1) * size + size);
        expect(next.map((one) => idIn(one))).toEqual(following.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  }, 240_000);
});
