import { getConnectionToken } from '@nestjs/mongoose';
import { newId, type Id } from '@commerce/records';
import { eventually, type Receiver } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { World, type Merchant } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

function collection(name: string): ReturnType<Connection['collection']> {
  return world.api.get<Connection>(getConnectionToken()).collection(name);
}

async function listening(merchant: Merchant, kind = 'user.created'): Promise<Receiver> {
  const receiver = await world.receiver();
  await merchant.admin.made('/webhooks', { event_type: kind, endpoint: receiver.url });
  return receiver;
}

/** Gives a company many more deliveries, copied from its first one and due for a minute, as after an outage. */
async function owe(company: Id, count: number): Promise<void> {
  const pattern = await eventually(
    () => collection('deliveries').findOne({ company, status: 'SUCCEEDED' }),
    (found) => found !== null,
  );
  const event = await collection('events').findOne({ _id: pattern?.['event'] });
  const ids = Array.from({ length: count }, () => newId());
  await collection('events').insertMany(ids.map((_id) => ({ ...event, _id, object_id: newId() })));
  const minuteAgo = Date.now() - 60_000;
  await collection('deliveries').insertMany(
    ids.map((one, index) => ({
      ...pattern,
      _id: newId(),
      event: one,
      next_attempt: new Date(minuteAgo + index),
      status: 'PENDING',
      generation: 0,
      attempt: 0,
      recorded: 0,
      attempts: [],
      claimed_by: null,
    })),
  );
}

describe('A backlog of one company', () => {
  it('does not delay the deliveries of another company', async () => {
    const [many, one] = [await world.stranger(), await world.stranger()];
    const busy = await listening(many);
    await many.admin.made('/users', { name: 'Pattern' });
    await busy.untilKinds('user.created');
    busy.answers(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 200;
    });
    await owe(many.company, 2500);
    await busy.until(() => busy.messages.length > 100);
    const quick = await listening(one);
    const started = Date.now();
    await one.admin.made('/users', { name: 'One' });
    await quick.until(() => quick.messages.length === 1);
    expect(Date.now() - started).toBeLessThan(2000);
    expect(busy.messages.length).toBeLessThan(2000);
    await busy.until(() => busy.messages.length >= 2501, 60_000);
  }, 120_000);
});

describe('A backlog of a broken endpoint', () => {
  it('does not hide the deliveries of its company to other endpoints', async () => {
    const merchant = await world.stranger();
    const broken = await listening(merchant);
    await merchant.admin.made('/users', { name: 'Pattern' });
    await broken.untilKinds('user.created');
    broken.answers(500);
    await owe(merchant.company, 1500);
    await broken.until(() => broken.messages.length > 10);
    // Due for a shorter time than all others, and named by no job.
    const other = await listening(merchant, 'user.deleted');
    const { _id } = await merchant.admin.made('/users', { name: 'Deleted' });
    await merchant.admin.delete(`/users/${String(_id.$oid)}`);
    await other.untilKinds('user.deleted');
    await collection('deliveries').updateMany(
      { company: merchant.company, event_type: 'user.deleted' },
      {
        $set: {
          status: 'PENDING',
          next_attempt: new Date(Date.now() - 1000),
          attempt: 0,
          recorded: 0,
          attempts: [],
        },
        $inc: { generation: 1 },
      },
    );
    await other.until(() => other.messages.length === 2, 10_000);
    expect(broken.messages.length).toBeLessThan(30);
  }, 60_000);
});

describe('A company with many slow endpoints', () => {
  it('occupies only a part of a worker, and gets everything', async () => {
    const merchant = await world.stranger();
    const receiver = await world.receiver();
    const endpoints = 20;
    for (let index = 0; index < endpoints; index += 1) {
      const endpoint = `${receiver.url}/${String(index)}`;
      await merchant.admin.made('/webhooks', { event_type: 'user.created', endpoint });
    }
    let now = 0;
    let most = 0;
    receiver.answers(async () => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 400));
      now -= 1;
      return 200;
    });
    for (let index = 0; index < 8; index += 1) await merchant.admin.made('/users', { name: 'Slow' });
    await receiver.until(() => receiver.messages.length === 8 * endpoints, 30_000);
    expect(most).toBeGreaterThan(30);
    expect(most).toBeLessThanOrEqual(64);
  }, 60_000);
});
