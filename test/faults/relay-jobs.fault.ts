import { getQueueToken } from '@nestjs/bullmq';
import { getConnectionToken } from '@nestjs/mongoose';
import type { INestApplicationContext } from '@nestjs/common';
import { OutboxSignal, outboxRow } from '@commerce/data';
import { newId, type Id } from '@commerce/records';
import { eventually } from '@commerce/testing';
import type { Queue } from 'bullmq';
import type { Connection } from 'mongoose';
import pMap from 'p-map';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { World, type Merchant } from '../world.js';

let world: World;
let worker: INestApplicationContext | null = null;
beforeAll(async () => {
  // Sweeps run only at the start: a job found every event that arrives later.
  world = await World.start({ worker: false, env: { SWEEP_INTERVAL_MS: '3600000' } });
  // Other tests may have left failed jobs in this Redis database.
  await world.api.get<Queue>(getQueueToken('relay')).obliterate({ force: true });
});
afterAll(async () => {
  await worker?.close();
  await world.stop();
});

function pending(company: Id): Promise<number> {
  const events = world.api.get<Connection>(getConnectionToken()).collection('events');
  return events.countDocuments({ company, pending: true });
}

function queued(): Promise<Record<string, number>> {
  const queue = world.api.get<Queue>(getQueueToken('relay'));
  return queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized');
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Writes events of a company as commits do: the rows and, after each commit, the notification. */
async function commit({ company }: Merchant, commits: number, events: number): Promise<void> {
  const rows = world.api.get<Connection>(getConnectionToken()).collection('events');
  const content = { company, object_type: 'user', object: {}, previous_data: {}, sequence: 1 };
  for (let index = 0; index < commits; index += 1) {
    const event = (): object => {
      const more = { kind: 'user.created', object_id: newId(), created: new Date() } as const;
      return outboxRow({ ...content, ...more });
    };
    await rows.insertMany(Array.from({ length: events }, event));
    world.get(OutboxSignal).notify(company);
  }
}

describe('Jobs of the relay', () => {
  it('are one for each company, however many events wait while no worker runs', async () => {
    const merchants = [world, await world.stranger()];
    await Promise.all(merchants.map((merchant) => commit(merchant, 1000, 5)));
    for (const { company } of merchants) expect(await pending(company)).toBe(5000);
    expect(total(await queued())).toBe(merchants.length);

    worker = await createWorker();
    startWorker(worker);
    for (const { company } of merchants)
      await eventually(
        () => pending(company),
        (count) => count === 0,
        60_000,
      );
    await eventually(queued, (counts) => total(counts) === 0);
  }, 180_000);

  it('miss none of the events that are committed while they run', async () => {
    const merchant = await world.stranger();
    for (let round = 0; round < 20; round += 1) {
      await pMap([1, 2, 3, 4], () => merchant.admin.made('/users', { name: 'Ada' }));
      await eventually(
        () => pending(merchant.company),
        (count) => count === 0,
        2000,
        { what: 'the last events to be relayed within two seconds' },
      );
    }
  }, 60_000);
});
