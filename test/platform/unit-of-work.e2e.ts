import { fault } from '@commerce/kernel';
import { TestClockRecord, TestClockStore, UserRecord, UserStore } from '@commerce/identity';
import { UniqueNames, UnitsOfWork, type UnitOfWork } from '@commerce/data';
import { makeRecord, newId } from '@commerce/records';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ worker: false });
});
afterAll(async () => {
  await world.stop();
});

const NOW = new Date('2026-03-01T00:00:00Z');

function begin(): UnitOfWork {
  return world.get(UnitsOfWork).begin(world.company, NOW);
}

function userNamed(name: string): UserRecord {
  return makeRecord(UserRecord, { company: world.company, name }, NOW);
}

function stored(user: UserRecord): Promise<UserRecord | null> {
  return world.get(UserStore).in(world.company).find(user._id);
}

async function eventsOf(user: UserRecord): Promise<{ kind: string; sequence: number; body: any }[]> {
  const events = world.api.get<Connection>(getConnectionToken()).collection('events');
  const found = await events.find({ object_id: user._id }).sort({ sequence: 1 }).toArray();
  return found.map((event) => ({
    kind: event['kind'],
    sequence: event['sequence'],
    body: JSON.parse(event['body']),
  }));
}

describe('A unit of work', () => {
  it('commits a record and its event together, numbered from 1', async () => {
    const work = begin();
    const user = work.insert(world.get(UserStore), userNamed('Ada'), 'user.created');
    expect(await stored(user)).toBeNull();
    await work.commit();
    const next = begin();
    next.update(world.get(UserStore), user, { name: 'Ada L.' }, 'user.updated');
    await next.commit();
    const events = await eventsOf(user);
    expect(events.map(({ kind, sequence }) => [kind, sequence])).toEqual([
      ['user.created', 1],
      ['user.updated', 2],
    ]);
    expect(events[1]?.body).toMatchObject({
      previous_data: { name: 'Ada' },
      object: { name: 'Ada L.' },
      object_type: 'user',
    });
    expect(events[1]?.body.object._id).toBe(user._id.toHexString());
  });

  it('writes nothing of it when a part of it fails', async () => {
    const taken = begin();
    world.get(UniqueNames).take(taken, 'test', 'x', fault('test.taken', 'It is taken'));
    await taken.commit();
    const work = begin();
    const good = work.insert(world.get(UserStore), userNamed('Good'), 'user.created');
    world.get(UniqueNames).take(work, 'test', 'x', fault('test.taken', 'It is taken'));
    await expect(work.commit()).rejects.toMatchObject({ code: 'test.taken' });
    expect(await stored(good)).toBeNull();
    expect(await eventsOf(good)).toEqual([]);
  });

  it('lets one of two writers of the same version win', async () => {
    const first = begin();
    const user = first.insert(world.get(UserStore), userNamed('Race'), 'user.created');
    await first.commit();
    const results = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const work = begin();
        work.update(world.get(UserStore), user, { name }, 'user.updated');
        await work.commit();
        return name;
      }),
    );
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    expect((await stored(user))?.name).toBe((won[0] as PromiseFulfilledResult<string>).value);
    expect(await eventsOf(user)).toHaveLength(2);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'record.conflict' });
    }
  });

  it('joins several changes of one record, each with its event', async () => {
    const work = begin();
    const made = work.insert(world.get(UserStore), userNamed('One'), 'user.created');
    const second = work.update(world.get(UserStore), made, { name: 'Two' }, 'user.updated');
    work.update(world.get(UserStore), second, { timezone: 'Europe/Paris' }, 'user.updated');
    await work.commit();
    expect(await stored(made)).toMatchObject({
      name: 'Two',
      timezone: 'Europe/Paris',
      sys: { version: 3, events: 3 },
    });
    const events = await eventsOf(made);
    expect(events.map(({ sequence, body }) => [sequence, body.previous_data])).toEqual([
      [1, {}],
      [2, { name: 'One' }],
      [3, { timezone: null }],
    ]);
  });

  it('sends nothing when no visible field has changed', async () => {
    const work = begin();
    const user = work.insert(world.get(UserStore), userNamed('Same'), 'user.created');
    work.update(world.get(UserStore), user, { name: 'Same' }, 'user.updated');
    await work.commit();
    expect(await eventsOf(user)).toHaveLength(1);
  });

  it('refuses the records of another company', () => {
    const foreign = makeRecord(TestClockRecord, { company: newId(), frozen_time: NOW }, NOW);
    expect(() => begin().insert(world.get(TestClockStore), foreign)).toThrow('its company');
  });
});
