import { getQueueToken } from '@nestjs/bullmq';
import { getConnectionToken } from '@nestjs/mongoose';
import { deliverJob, relayJob } from '@commerce/events';
import { JobQueue } from '@commerce/jobs';
import { newId, parseId, type Id } from '@commerce/records';
import { eventually, idIn } from '@commerce/testing';
import type { Queue } from 'bullmq';
import type { Connection } from 'mongoose';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const ID = '0123456789abcdef01234567';

/** Invalid jobs that may be in Redis. */
const RUBBISH: readonly unknown[] = [
  {},
  null,
  7,
  'text',
  [],
  { company: 5, webhook: {}, ids: 'x' },
  { company: [ID], webhook: 'x' },
  { company: Array(50_000).fill(ID), webhook: Array(50_000).fill(ID) },
  JSON.parse('{"__proto__":{"company":"0123456789abcdef01234567"},"constructor":1}'),
  // Well-formed, but with ids that do not exist.
  { company: ID, webhook: ID },
];

describe('The queues of deliveries', () => {
  it.each([deliverJob, relayJob].map((job) => [job.queue, job] as const))(
    'of %s continue after invalid jobs',
    async (name) => {
      const queue = world.api.get<Queue>(getQueueToken(name));
      for (const data of RUBBISH) {
        await queue.add(name, data, { removeOnComplete: true, removeOnFail: true });
      }
      const receiver = await world.receiver();
      await world.admin.made('/webhooks', { event_type: 'user.created', endpoint: receiver.url });
      await world.user();
      await receiver.untilKinds('user.created');
      await eventually(
        () => queue.getJobCounts('waiting', 'active', 'delayed'),
        (counts) => Object.values(counts).every((count) => count === 0),
      );
      expect(({} as Record<string, unknown>)['company']).toBeUndefined();
    },
  );

  it('may hold the same job a thousand times: it has one effect', async () => {
    const receiver = await world.receiver();
    const hook = await world.admin.made('/webhooks', { event_type: 'user.deleted', endpoint: receiver.url });
    const { id } = await world.user();
    receiver.answers(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return 200;
    });
    await world.admin.delete(`/users/${id}`);
    await eventually(
      () => world.admin.read(`/webhooks/${idIn(hook)}/deliveries`),
      (all: any[]) => all.length === 1,
    );
    const webhook = parseId(idIn(hook)) as Id;
    const jobs = world.get(JobQueue);
    await jobs.add(deliverJob, ...Array.from({ length: 1000 }, () => ({ data: { webhook } })));
    await jobs.add(relayJob, ...Array.from({ length: 100 }, () => ({ data: { company: world.company } })));
    await receiver.until(() => receiver.messages.length >= 1);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(receiver.messages).toHaveLength(1);
  });

  it('cannot be used to show one company the events of another', async () => {
    const stranger = await world.stranger();
    const theirs = await world.receiver();
    const hook = await stranger.admin.made('/webhooks', {
      event_type: 'user.created',
      endpoint: theirs.url,
    });
    await stranger.admin.made('/users', { name: 'Theirs' });
    await theirs.untilKinds('user.created');
    const deliveries = world.api.get<Connection>(getConnectionToken()).collection('deliveries');
    const row = await deliveries.findOne({ company: stranger.company });
    // Due, leased by nobody, and of another company's event.
    const _id = newId();
    await world.user();
    const [event]: any[] = await eventually(
      () => world.admin.read('/events', { kind: 'user.created' }),
      (all: any[]) => all.length > 0,
    );
    await deliveries.insertOne({
      ...row,
      _id,
      event: parseId(String(event.id)),
      status: 'PENDING',
      next_attempt: new Date(),
      generation: 0,
      attempt: 0,
      recorded: 0,
      attempts: [],
    });
    const webhook = parseId(idIn(hook)) as Id;
    await world.get(JobQueue).add(deliverJob, { data: { webhook } });
    const dropped = await eventually(
      () => deliveries.findOne({ _id }),
      (delivery) => delivery?.['status'] !== 'PENDING',
    );
    expect(dropped).toMatchObject({ status: 'DROPPED', reason: 'event_unknown' });
    expect(theirs.messages).toHaveLength(1);
  });
});
