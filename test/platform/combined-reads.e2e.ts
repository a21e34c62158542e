import { UserStore } from '@commerce/identity';
import { isFault } from '@commerce/kernel';
import { type Caller } from '@commerce/data';
import { newId, type Id } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
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

const admin = (company: Id): Caller => ({
  company,
  mode: 'test',
  role: 'admin',
  user: null,
  credential: 'test',
});

async function fill(company: Id, count: number, deleted = false): Promise<Id[]> {
  const rows = Array.from({ length: count }, () => {
    const _id = newId();
    return { _id, human_id: _id.toHexString(), company, name: 'Ada', deleted, created: new Date() };
  });
  await connection.collection<{ _id: Id }>('users').insertMany(rows);
  return rows.map(({ _id }) => _id);
}

/** Shows these records to the company's admin, all concurrently, and returns the ids found. */
async function shown(company: Id, ids: readonly Id[]): Promise<(string | null)[]> {
  return Promise.all(
    ids.map(async (id) => {
      try {
        return (await users.for(admin(company)).show(id))._id.toHexString();
      } catch (error) {
        if (isFault(error, 'user.not_found')) return null;
        throw error;
      }
    }),
  );
}

const hex = (ids: readonly Id[]): string[] => ids.map((id) => id.toHexString());

describe('Records that are requested concurrently', () => {
  it('are read together, at most 100 by one command, each of them once', async () => {
    const company = newId();
    const ids = await fill(company, 250);
    const sent = await commandsOf(connection, async () => {
      expect(await shown(company, [...ids, ...ids.slice(0, 20)])).toEqual(hex([...ids, ...ids.slice(0, 20)]));
    });
    expect(sent.map(({ commandName }) => commandName)).toEqual(['find', 'find', 'find']);
  });

  it('are those of the requesting company alone, beside any other', async () => {
    const [one, other] = [newId(), newId()];
    const [own, foreign] = [await fill(one, 3), await fill(other, 3)];
    const all = [...own, ...foreign, newId()];
    const [seen, seenByOther] = await Promise.all([shown(one, all), shown(other, all)]);
    expect(seen).toEqual([...hex(own), null, null, null, null]);
    expect(seenByOther).toEqual([null, null, null, ...hex(foreign), null]);
  });

  it('are shown deleted to admins only, and to users only if they own them', async () => {
    const company = newId();
    const [deleted, [mine, theirs]] = [await fill(company, 1, true), await fill(company, 2)];
    const user: Caller = { ...admin(company), role: 'user', user: mine! };
    const seenBy = (caller: Caller, id: Id): Promise<boolean> =>
      users
        .for(caller)
        .show(id)
        .then(
          () => true,
          () => false,
        );
    const asked = [deleted[0]!, mine!, theirs!];
    const seen = await Promise.all([admin(company), user].flatMap((by) => asked.map((id) => seenBy(by, id))));
    expect(seen).toEqual([true, true, true, false, true, false]);
  });

  it('are those that a majority of the nodes holds, as on a page', async () => {
    const company = newId();
    const ids = await fill(company, 2);
    const sort = { field: 'created', direction: 1 } as const;
    const query = { size: 2, page: 0, after: null, sort, filter: {}, total: false };
    const sent = await commandsOf(connection, async () => {
      await shown(company, ids);
      await users.in(company).page(query);
    });
    expect(sent.map(({ commandName }) => commandName)).toEqual(['find', 'aggregate']);
    expect(sent.map(({ command }) => command['readConcern']?.level)).toEqual(['majority', 'majority']);
  });

  it('reflect the state after the request', async () => {
    const company = newId();
    const [id] = await fill(company, 1);
    for (let round = 0; round < 50; round += 1) {
      const name = `Name ${String(round)}`;
      const early = users.for(admin(company)).show(id!);
      await connection.collection<{ _id: Id }>('users').updateOne({ _id: id! }, { $set: { name } });
      const records = await Promise.all([users.for(admin(company)).show(id!), early]);
      expect(records[0].name).toBe(name);
    }
  });
});

describe('Records that are too large for one reply', () => {
  it('are read to the last, by their ids and as a page', async () => {
    const company = newId();
    const ids = await fill(company, 20);
    const own = connection.collection<{ company: Id; notes: string }>('users');
    await own.updateMany({ company }, { $set: { notes: 'x'.repeat(1_000_000) } });
    const records = users.in(company);
    const sort = { field: 'created', direction: 1 } as const;
    const query = { size: 100, page: 0, after: null, sort, filter: {}, total: false };
    const sent = await commandsOf(connection, async () => {
      expect([...(await records.byIds(ids)).keys()].sort()).toEqual(hex(ids));
      expect(hex((await records.page(query)).records.map(({ _id }) => _id)).sort()).toEqual(hex(ids));
    });
    const byCursor = (name: string): string[] => [name, 'killCursors', name, 'getMore'];
    expect(sent.map(({ commandName }) => commandName)).toEqual([
      ...byCursor('find'),
      ...byCursor('aggregate'),
    ]);
  }, 30_000);
});
