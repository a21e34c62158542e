import { setTimeout } from 'node:timers/promises';

import { BillingProcessor } from '@commerce/billing';
import { UserRecord, UserStore } from '@commerce/identity';
import { UnitsOfWork } from '@commerce/data';
import { makeRecord, parseId } from '@commerce/records';
import { idIn } from '@commerce/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

import { commandsOf, watchCommands } from '../sent-commands.js';
import { World } from '../world.js';

let world: World;
let units: UnitsOfWork;
let users: UserStore;
let connection: Connection;
beforeAll(async () => {
  watchCommands();
  world = await World.start({ worker: false });
  units = world.get(UnitsOfWork);
  users = world.get(UserStore);
  connection = world.api.get<Connection>(getConnectionToken());
});
afterAll(() => world.stop());

function newUsers(count: number, name: string): Promise<UserRecord[]> {
  return Promise.all(
    Array.from({ length: count }, () =>
      units.create(users, { company: world.company, name }, { event: 'user.created' }),
    ),
  );
}

/** Renames the given version of a user, and adds another user. */
function rename(before: UserRecord, name: string): Promise<void> {
  const work = units.begin(world.company, new Date());
  work.update(users, before, { name }, 'user.updated');
  work.insert(users, makeRecord(UserRecord, { company: world.company, name: `beside ${name}` }, work.now));
  return units.commit(work);
}

const countOf = (name: string): Promise<number> => users.in(world.company).count({ name });

/** The names of the commands that this process sends while `work` runs. */
async function namesOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await commandsOf(connection, work)).map(({ commandName }) => commandName);
}

describe('Units of work that are committed together', () => {
  it('are all written, with their events, in few commands', async () => {
    const all = await newUsers(20, 'Before');
    const names = await namesOf(() => Promise.all(all.map((user) => rename(user, 'After'))));
    expect([await countOf('After'), await countOf('beside After')]).toEqual([20, 20]);
    const events = await connection
      .collection('events')
      .countDocuments({ object_id: { $in: all.map(({ _id }) => _id) }, kind: 'user.updated' });
    expect(events).toBe(20);
    expect(names.filter((name) => name === 'commitTransaction')).toHaveLength(1);
    expect(names.length).toBeLessThanOrEqual(5);
  });

  it('do not suffer from one that lost to a faster writer', async () => {
    const all = await newUsers(10, 'Raced');
    const [late] = all as [UserRecord];
    await units.change(users.in(world.company), late._id, () => ({ changes: { name: 'Quicker' } }));
    const results = await Promise.allSettled(all.map((user) => rename(user, 'Renamed')));
    expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array<string>(9).fill('fulfilled')]);
    expect(results[0]).toMatchObject({ reason: { code: 'record.conflict' } });
    expect([await countOf('Renamed'), await countOf('beside Renamed'), await countOf('Quicker')]).toEqual([
      9, 9, 1,
    ]);
  });

  it('of one record in one version leave one winner', async () => {
    const [user] = (await newUsers(1, 'One')) as [UserRecord];
    const results = await Promise.allSettled(['A', 'B', 'C'].map((name) => rename(user, `Won by ${name}`)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await users.in(world.company).get(user._id)).sys.version).toBe(2);
  });
});

describe('New records that come together', () => {
  it('are all written, each with its event and its line in the audit log, in few commands', async () => {
    const names = await namesOf(() => newUsers(20, 'New'));
    expect(await countOf('New')).toBe(20);
    expect(names.filter((name) => name === 'commitTransaction')).toHaveLength(1);
    expect(names.length).toBeLessThanOrEqual(3);

    const bodies = Array.from({ length: 20 }, (_, index) => ({ name: `User ${String(index)}` }));
    const ids = await Promise.all(
      bodies.map(async (body) => parseId(idIn(await world.admin.made('/users', body)))),
    );
    const counts = [
      connection.collection('events').countDocuments({ object_id: { $in: ids }, kind: 'user.created' }),
      connection.collection('audit_entries').countDocuments({ record: { $in: ids }, action: 'created' }),
    ];
    expect(await Promise.all(counts)).toEqual([20, 20]);
  });

  it('do not suffer from one whose name is taken', async () => {
    const coupon = (code: string) => ({ name: code, code, percent_off: 0.5 });
    await world.admin.made('/coupons', coupon('TAKEN'));
    const codes = ['A', 'B', 'TAKEN', 'C', 'D', 'E', 'F'];
    const replies = await Promise.all(codes.map((code) => world.admin.post('/coupons', coupon(code))));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body.code)).toEqual(['coupon.code_taken']);
    expect(replies[2]).toBe(refused[0]);
  });
});

describe('Twenty charges of one batch', () => {
  async function subscribed(plan: string): Promise<void> {
    const { admin } = world;
    const user = idIn(await admin.made('/users', { name: 'Ada' }));
    const card = idIn(await admin.made('/payment_methods', { payment_method: 'stripe', user }));
    await admin.changed(`/payment_methods/${card}`, { payment_method_id: 'pm_card_visa' });
    await admin.made('/subscriptions', { plan, user, payment_method: card, start_now: true });
  }

  it('cost fewer than two commands each', async () => {
    const terms = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
    const plan = idIn(await world.admin.made('/plans', { ...terms, currency: 'EUR', total_amount: 30 }));
    for (let index = 0; index < 20; index += 1) await subscribed(plan);
    const payments = connection.collection('payments');
    // The database's clock, by which they have started, may be ahead of this one.
    await setTimeout(500);
    const names = await namesOf(() => world.get(BillingProcessor).runDue(new Date()));
    expect(await payments.countDocuments({ status: 'SUCCEEDED' })).toBe(20);
    expect(await payments.countDocuments()).toBe(20);
    process.stdout.write(`commands for 20 charges: ${String(names.length)}\n`);
    expect(names.length).toBeLessThan(40);
  });
});
