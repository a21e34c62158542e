import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { deliverJob } from '@commerce/events';
import { RedisClient } from '@commerce/platform';
import { newId } from '@commerce/records';
import type { Queue } from 'bullmq';

import { createWorker } from '../../apps/worker/src/create-worker.js';
import { DeliveryNotifier } from '../../libs/events/src/sending/delivery-notifier.js';
import { World } from '../world.js';

let world: World;
let worker: INestApplicationContext;
let queue: Queue;
beforeAll(async () => {
  world = await World.start({ worker: false });
  // Never started, so that jobs stay in the queue.
  worker = await createWorker();
  await worker.get(RedisClient).untilReady();
  queue = world.api.get<Queue>(getQueueToken(deliverJob.queue));
  await queue.obliterate({ force: true });
});
afterAll(async () => {
  await queue.obliterate({ force: true });
  await worker.close();
  await world.stop();
});

const waiting = (): Promise<number> => queue.getJobCountByTypes('waiting', 'prioritized');

async function notify(): Promise<void> {
  await worker.get(DeliveryNotifier).notify([{ webhook: newId() }]);
}

describe('Jobs of deliveries', () => {
  it('are not added while more than 10,000 wait: the sweep finds the deliveries in the database', async () => {
    await notify();
    expect(await waiting()).toBe(1);
    await queue.addBulk(Array.from({ length: 10_000 }, () => ({ name: 'none', data: {} })));
    expect(await waiting()).toBe(10_001);
    await notify();
    expect(await waiting()).toBe(10_001);
  }, 120_000);
});
