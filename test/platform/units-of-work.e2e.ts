import { Users, UserRecord, UserStore } from '@commerce/identity';
import { UnitsOfWork, type Caller } from '@commerce/data';
import { makeRecord, sameId, type Id } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
let units: UnitsOfWork;
let users: UserStore;
beforeAll(async () => {
  world = await World.start({ worker: false });
  units = world.get(UnitsOfWork);
  users = world.get(UserStore);
});
afterAll(async () => {
  await world.stop();
});

function newUser(name: string): Promise<UserRecord> {
  return units.create(users, { company: world.company, name }, { event: 'user.created' });
}

async function sequencesOf(user: UserRecord): Promise<number[]> {
  const events = world.api.get<Connection>(getConnectionToken()).collection('events');
  const found = await events.find({ object_id: user._id }).sort({ sequence: 1 }).toArray();
  return found.map((event) => event['sequence'] as number);
}

describe('units.change', () => {
  it('lets 40 callers change one record concurrently, each from the state that the others left', async () => {
    const user = await newUser('');
    const letters = Array.from({ length: 40 }, (_, index) => String.fromCharCode(0x100 + index));
    await Promise.all(
      letters.map((letter) =>
        units.change(users.in(world.company), user._id, ({ name }) => ({
          changes: { name: (name ?? '') + letter },
          event: 'user.updated',
        })),
      ),
    );
    const after = await users.in(world.company).get(user._id);
    expect([...(after.name ?? '')].sort()).toEqual(letters);
    expect(after.sys).toEqual({ version: 41, events: 41 });
    expect(await sequencesOf(user)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  });

  it('leaves a record unchanged when the decision does', async () => {
    const user = await newUser('Same');
    const after = await units.change(users.in(world.company), user._id, () => null);
    expect(after.sys).toEqual(user.sys);
    expect(await sequencesOf(user)).toEqual([1]);
  });

  it("writes the decision's additions in the same commit", async () => {
    const user = await newUser('One');
    let added: UserRecord | null = null;
    await units.change(users.in(world.company), user._id, (_before, work) => {
      added = work.insert(users, makeRecord(UserRecord, { company: world.company }, work.now));
      return { changes: { name: 'Two' } };
    });
    const made = added as UserRecord | null;
    expect(made === null ? null : await users.in(world.company).find(made._id)).not.toBeNull();
  });

  it('writes nothing when the decision throws', async () => {
    const user = await newUser('Kept');
    const change = units.change(users.in(world.company), user._id, (_before, work) => {
      work.insert(users, makeRecord(UserRecord, { company: world.company, name: 'Lost' }, work.now));
      throw new Error('no');
    });
    await expect(change).rejects.toThrow('no');
    expect(await users.in(world.company).one({ name: 'Lost' })).toBeNull();
  });

  it('finds a deleted record only on request', async () => {
    const user = await newUser('Gone');
    const records = users.in(world.company);
    await units.change(records, user._id, () => ({ changes: { deleted: true } }));
    const change = (deleted: boolean): Promise<UserRecord> =>
      units.change(records, user._id, () => ({ changes: { name: 'Back' } }), { deleted });
    await expect(change(false)).rejects.toMatchObject({ code: 'user.not_found' });
    expect((await change(true)).name).toBe('Back');
  });
});

describe('store.for', () => {
  function as(user: UserRecord): Caller {
    return { company: world.company, mode: 'test', role: 'user', user: user._id, credential: 'test' };
  }

  it('shows a user its own records only, in every way of reading', async () => {
    const [ada, bob] = [await newUser('Ada'), await newUser('Bob')];
    const own = users.for(as(ada));
    expect(await own.find(bob._id)).toBeNull();
    await expect(own.get(bob._id)).rejects.toMatchObject({ code: 'user.not_found' });
    expect((await own.many({})).map(({ name }) => name)).toEqual(['Ada']);
    expect(await own.one({ name: 'Bob' })).toBeNull();
    expect(await own.many({ _id: bob._id })).toEqual([]);
    expect(await own.count({})).toBe(1);
    expect([...(await own.byIds([bob._id, ada._id])).keys()]).toEqual([ada._id.toHexString()]);
    const change = units.change(own, bob._id, () => ({ changes: { name: 'Eve' } }));
    await expect(change).rejects.toMatchObject({ code: 'user.not_found' });
  });

  it('shows an admin all of its company, and deleted ones one by one', async () => {
    const admin: Caller = {
      company: world.company,
      mode: 'test',
      role: 'admin',
      user: null,
      credential: 'test',
    };
    const user = await newUser('Deleted');
    await units.change(users.for(admin), user._id, () => ({ changes: { deleted: true } }));
    expect(await users.for(admin).find(user._id)).toBeNull();
    expect((await users.for(admin).show(user._id)).deleted).toBe(true);
    await expect(users.for(as(user)).show(user._id)).rejects.toMatchObject({ code: 'user.not_found' });
  });
});

describe('the user of a request', () => {
  const asked = (caller: Caller, given: Id | null): Promise<UserRecord> =>
    world.get(Users).forRequest(caller, given);

  it('is the one that an admin names', async () => {
    const user = await newUser('Named');
    const admin: Caller = {
      company: world.company,
      mode: 'test',
      role: 'admin',
      user: null,
      credential: 'x',
    };
    expect((await asked(admin, user._id)).name).toBe('Named');
    await expect(asked(admin, null)).rejects.toMatchObject({ code: 'value.invalid' });
    await expect(asked(admin, world.company)).rejects.toMatchObject({ code: 'user.unknown' });
  });

  it('is the user itself, who may name itself', async () => {
    const [ada, bob] = [await newUser('Ada'), await newUser('Bob')];
    const caller: Caller = {
      company: world.company,
      mode: 'test',
      role: 'user',
      user: ada._id,
      credential: 'x',
    };
    expect(sameId((await asked(caller, null))._id, ada._id)).toBe(true);
    expect(sameId((await asked(caller, ada._id))._id, ada._id)).toBe(true);
    await expect(asked(caller, bob._id)).rejects.toMatchObject({ code: 'value.invalid' });
  });
});
