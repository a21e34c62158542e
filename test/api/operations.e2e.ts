import { JobQueue } from '@commerce/jobs';
import { eventually } from '@commerce/testing';

import { World } from '../world.js';

let world: World;
beforeAll(async () => {
  // Without a worker, so that due work waits until the test has read it.
  world = await World.start({ worker: false });
});
afterAll(() => world.stop());

const NAME = 'checkups';

type Queue = ReturnType<JobQueue['allQueues']>[number];

function queue(): Queue {
  const found = world
    .get(JobQueue)
    .allQueues()
    .find(({ name }) => name === NAME);
  if (found === undefined) throw new Error('there is no such queue');
  return found;
}

/** Polls the queue until its state, which may be a second old, matches. */
async function standing(isRight: (one: any) => boolean): Promise<any> {
  const read = async (): Promise<any> => {
    const { queues } = await world.admin.read('/operations');
    return queues.find(({ name }: any) => name === NAME);
  };
  return eventually(read, isRight, 10_000);
}

describe('The queues of GET /operations', () => {
  it('are named, with nothing of any company', async () => {
    await queue().drain();
    const { queues } = await world.admin.read('/operations');
    expect(queues.map(({ name }: any) => name)).toEqual(expect.arrayContaining(['billing', 'relay', NAME]));
    for (const one of queues)
      expect(Object.keys(one)).toEqual(['name', 'purpose', 'paused', 'waiting_since']);
  });

  it('report how long the oldest job has waited, whatever its priority', async () => {
    expect(await standing(({ waiting_since }) => waiting_since === null)).toMatchObject({ paused: false });
    const add = (timestamp: number, priority?: number): Promise<unknown> =>
      queue().add(NAME, { company: 'x' }, { timestamp, ...(priority === undefined ? {} : { priority }) });
    const now = Date.now();
    const oldest = (at: number): Promise<any> => standing(({ waiting_since }) => waiting_since?.$date === at);
    await add(now - 2000, 1);
    await add(now - 1000, 1);
    await oldest(now - 2000);
    await add(now - 3000);
    await add(now - 500);
    await oldest(now - 3000);
    await add(now - 90_000, 7);
    await add(now - 100, 2);
    await oldest(now - 90_000);
    await queue().drain();
    await standing(({ waiting_since }) => waiting_since === null);
  });

  it('report that an operator has stopped one, which still waits', async () => {
    await queue().pause();
    const at = Date.now() - 5000;
    await queue().add(NAME, { company: 'x' }, { timestamp: at });
    expect(await standing(({ paused }) => paused)).toMatchObject({ waiting_since: { $date: at } });
    await queue().resume();
    await queue().drain();
    await standing(({ paused, waiting_since }) => !paused && waiting_since === null);
  });

  it('are omitted while Redis is away, and the rest is reported', async () => {
    // A port without a listener.
    const alone = await World.start({ worker: false, env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    const told = await alone.admin.read('/operations');
    await alone.stop();
    expect(told).toMatchObject({ queues: null, held: 0, dunning: [] });
    expect(told.work).toHaveLength(3);
  });
});
