import { ProductStore } from '@commerce/catalog';
import { UserStore, type UserRecord } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { type Page } from '@commerce/data';
import { newId, type Id, type PageQuery } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import fc from 'fast-check';
import type { Connection } from 'mongoose';

import { commandsOf, watchCommands } from '../sent-commands.js';
import { World } from '../world.js';

let world: World;
let users: UserStore;
let connection: Connection;
beforeAll(async () => {
  watchCommands();
  world = await World.start({ worker: false });
  users = world.get(UserStore);
  connection = world.api.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

interface Row {
  readonly _id: Id;
  readonly created: Date;
  readonly name: string | null;
  readonly deleted: boolean;
}

/** Few distinct values and nulls, so that most records tie. */
const ROWS = fc.array(
  fc.record({
    created: fc.integer({ min: 0, max: 8 }).map((step) => new Date(1_700_000_000_000 + step * 40_000_000)),
    name: fc.option(fc.constantFrom('', 'a', 'ab', 'abc', 'b', 'B', 'ä', '😀', 'mug 1', 'mug 12'), {
      freq: 4,
    }),
    deleted: fc.boolean(),
  }),
  { maxLength: 60 },
);
const ASKED = fc.record({
  field: fc.constantFrom('created' as const, 'name' as const),
  direction: fc.constantFrom(1 as const, -1 as const),
  size: fc.integer({ min: 1, max: 7 }),
  filtered: fc.boolean(),
});

async function fill(
  company: Id,
  rows: readonly Omit<Row, '_id'>[],
  collection: 'users' | 'products' = 'users',
): Promise<Row[]> {
  const stored = rows.map((row) => {
    const _id = newId();
    return { ...row, _id, human_id: _id.toHexString(), company, sys: { version: 1, events: 0 } };
  });
  if (stored.length > 0) await connection.collection<{ _id: Id }>(collection).insertMany(stored);
  return stored;
}

/** The result of one query without limit or window. */
async function whole(
  company: Id,
  asked: Pick<PageQuery, 'sort' | 'filter'>,
  collection: 'users' | 'products' = 'users',
): Promise<string[]> {
  const { field, direction } = asked.sort;
  const found = await connection
    .collection<{ _id: Id }>(collection)
    .find({ company, ...asked.filter })
    .sort({ [field]: direction, _id: direction })
    .toArray();
  return found.map(({ _id }) => _id.toHexString());
}

const hex = (records: readonly { _id: Id }[]): string[] => records.map(({ _id }) => _id.toHexString());

describe('Pages of a list', () => {
  it('are those of a plain sort, by number and after a record, with ties and nulls', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, ASKED, async (rows, { field, direction, size, filtered }) => {
        const company = newId();
        await fill(company, rows);
        const query = {
          size,
          sort: { field, direction },
          filter: filtered ? { deleted: false } : {},
          total: true,
        };
        const plain = await whole(company, query);
        const list = users.in(company);
        for (let page = 0; page * size <= plain.length; page += 1) {
          const { records, hasMore, total } = await list.page({ ...query, page, after: null });
          expect(hex(records)).toEqual(plain.slice(page * size, (page + 1) * size));
          expect(hasMore).toBe(plain.length > (page + 1) * size);
          expect(total).toEqual({ count: plain.length, capped: false });
        }
        for (const [at, after] of plain.entries()) {
          const last = (await list.get(after, { deleted: true }))._id;
          const { records, hasMore } = await list.page({ ...query, page: 0, after: last });
          expect(hex(records)).toEqual(plain.slice(at + 1, at + 1 + size));
          expect(hasMore).toBe(plain.length > at + 1 + size);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('stay right while records are added and removed, for any cached state', async () => {
    await fc.assert(
      fc.asyncProperty(ROWS, ROWS, ASKED, async (before, later, { field, direction, size }) => {
        const company = newId();
        const query = { size, sort: { field, direction }, filter: {}, total: false, page: 0, after: null };
        const kept = await fill(company, before);
        for (const rows of [[], later]) {
          await fill(company, rows);
          const { records } = await users.in(company).page(query);
          expect(hex(records)).toEqual((await whole(company, query)).slice(0, size));
        }
        const ids = kept.slice(0, Math.ceil(kept.length / 2)).map(({ _id }) => _id);
        await connection.collection<{ _id: Id }>('users').deleteMany({ _id: { $in: ids }, company });
        const { records, hasMore } = await users.in(company).page(query);
        const plain = await whole(company, query);
        expect(hex(records)).toEqual(plain.slice(0, size));
        expect(hasMore).toBe(plain.length > size);
      }),
      { numRuns: 25 },
    );
  });

  it('hold each record once for a reader who continues during writes', async () => {
    const company = newId();
    const at = (second: number): Date => new Date(1_700_000_000_000 + second * 1000);
    const rows = Array.from({ length: 100 }, (_, n) => ({ created: at(n % 20), name: null, deleted: false }));
    const first = await fill(company, rows);
    const seen: string[] = [];
    const query = { size: 7, sort: { field: 'created', direction: -1 as const }, filter: {}, total: false };
    for (let after: Id | null = null; ;) {
      const { records, hasMore } = await users.in(company).page({ ...query, page: 0, after });
      seen.push(...hex(records));
      after = records.at(-1)?._id ?? null;
      if (!hasMore) break;
      await fill(company, [{ created: at(seen.length % 25), name: null, deleted: false }]);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(first.every(({ _id }) => seen.includes(_id.toHexString()))).toBe(true);
  });

  it('cost the embedded server as much as the whole list once, for any number of readers, and MongoDB one page each', async () => {
    const company = newId();
    const created = (index: number): Date => new Date(1_700_000_000_000 + index * 1000);
    await fill(
      company,
      Array.from({ length: 200 }, (_, index) => ({ created: created(index), name: null, deleted: false })),
    );
    const asked = { sort: { field: 'created', direction: 1 }, filter: {}, page: 0, size: 10 } as const;
    let pages: Page<UserRecord>[] = [];
    const sent = await commandsOf(connection, async () => {
      pages = await Promise.all(
        Array.from({ length: 20 }, () => users.in(company).page({ ...asked, after: null, total: false })),
      );
    });
    const reads = sent.filter(({ commandName }) => commandName === 'aggregate');
    const unbounded = reads.map(({ command }) => !('created' in command['pipeline'][0].$match));
    const [first] = pages;
    expect(first?.records.map((user) => user.created)).toEqual(
      Array.from({ length: 10 }, (_, index) => created(index)),
    );
    for (const page of pages)
      expect(page.records.map(({ _id }) => _id)).toEqual(first?.records.map(({ _id }) => _id));
    expect(unbounded).toHaveLength(20);
    if (users.engine.name === 'embedded') {
      expect(unbounded.filter(Boolean)).toHaveLength(1);
      return;
    }
    for (const { command } of reads) {
      expect(command['pipeline']).toEqual([
        { $match: { company } },
        { $sort: { created: 1, _id: 1 } },
        { $limit: 11 },
      ]);
    }
  });

  it('that a tag narrows are found immediately when few have it, and as well when nearly all have', async () => {
    const company = newId();
    const rows = Array.from({ length: 12_000 }, (_, index) => ({
      created: new Date(1_700_000_000_000 + (index % 3000) * 1000),
      name: 'mug',
      deleted: index % 7 === 0,
      tags: index % 400 === 1 ? ['rare', 'common'] : ['common'],
    }));
    await fill(company, rows, 'products');
    const products = world.get(ProductStore).in(company);
    const sort = { field: 'created', direction: -1 } as const;
    const read = (tag: string, page: number, after: Id | null = null): Promise<Page<{ _id: Id }>> => {
      const filter = { tags: { $in: [tag] }, company, deleted: false };
      return products.page({ size: 10, page, after, sort, filter, total: false });
    };
    const plainOf = (tag: string): Promise<string[]> =>
      whole(company, { sort, filter: { tags: tag, deleted: false } }, 'products');
    const rare = await plainOf('rare');
    const sent = await commandsOf(connection, async () => {
      for (const page of [0, 1, 2])
        expect(hex((await read('rare', page)).records)).toEqual(rare.slice(10 * page, 10 * page + 10));
    });
    const reads = sent.filter(({ commandName }) => commandName === 'aggregate');
    const conditions = reads.map(({ command }) => Object.keys(command['pipeline'][0].$match));
    expect(conditions.map((fields) => fields.sort().join())).toEqual(
      Array.from({ length: 3 }, () => 'company,deleted,tags'),
    );
    for (const [tag, plain] of [['rare', rare] as const, ['common', await plainOf('common')] as const]) {
      let after: Id | null = null;
      for (const page of [0, 1, 2]) {
        const expected = plain.slice(10 * page, 10 * page + 10);
        expect(hex((await read(tag, page)).records)).toEqual(expected);
        const { records } = await read(tag, 0, after);
        expect(hex(records)).toEqual(expected);
        after = records.at(-1)?._id ?? null;
      }
    }
  });

  it('are counted to 10,000, and no further', async () => {
    const company = newId();
    const rows = Array.from({ length: 10_001 }, () => ({ created: new Date(5), name: null, deleted: false }));
    await fill(company, rows);
    const list = users.in(company);
    expect(await list.total({})).toEqual({ count: 10_000, capped: true });
    expect(await list.total({ name: 'x' })).toEqual({ count: 0, capped: false });
  });

  it('are counted once for concurrent readers, and again after a write', async () => {
    const company = newId();
    const row = { created: new Date(5), name: null, deleted: false };
    await fill(company, [row, row]);
    const list = users.in(company);
    const totals = async (many: number): Promise<number[]> => {
      const counted = await Promise.all(Array.from({ length: many }, () => list.total({ deleted: false })));
      return counted.map(({ count }) => count);
    };
    let counts: number[] = [];
    const sent = await commandsOf(connection, async () => {
      counts = await totals(20);
    });
    expect(counts).toEqual(Array.from({ length: 20 }, () => 2));
    expect(sent.filter(({ commandName }) => commandName === 'aggregate')).toHaveLength(2);
    const early = totals(3);
    await fill(company, [row]);
    expect(await totals(3)).toEqual([3, 3, 3]);
    await early;
    expect(await list.total({ deleted: true })).toEqual({ count: 0, capped: false });
  });

  it('without possible results are answered without the database', async () => {
    const list = users.in(newId());
    const filter = { _id: { $in: [] } };
    const query = { size: 5, page: 0, after: null, sort: { field: 'created', direction: -1 } as const };
    const sent = await commandsOf(connection, async () => {
      expect(await list.page({ ...query, filter, total: true })).toMatchObject({
        records: [],
        hasMore: false,
        total: { count: 0, capped: false },
      });
      expect([await list.many(filter), await list.one(filter), await list.count(filter)]).toEqual([
        [],
        null,
        0,
      ]);
      for await (const user of list.stream(filter)) throw new Error(`found ${user.name ?? ''}`);
    });
    expect(sent).toEqual([]);
  });

  it('are refused for a sort that no index serves', async () => {
    const query = { size: 1, page: 0, after: null, filter: {}, total: false };
    const asked = { ...query, sort: { field: 'timezone', direction: 1 as const } };
    const error = await users
      .in(world.company)
      .page(asked)
      .catch((thrown: unknown) => thrown);
    expect(isFault(error)).toBe(false);
    expect(error).toBeInstanceOf(Error);
  });
});
