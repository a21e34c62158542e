import type { INestApplicationContext } from '@nestjs/common';
import { CardProviders, NotSent } from '@commerce/payments';
import { RedisClient } from '@commerce/platform';
import { type Id } from '@commerce/records';

import { createWorker } from '../../apps/worker/src/create-worker.js';
import { World, type Merchant } from '../world.js';

const PER_SECOND = 20;

let world: World;
let worker: INestApplicationContext;
let other: Merchant;
beforeAll(async () => {
  world = await World.start({ worker: false, env: { PROVIDER_RATE_PER_SECOND: String(PER_SECOND) } });
  worker = await createWorker();
  other = await world.stranger();
  await Promise.all([worker, world.api].map((app) => app.get(RedisClient).untilReady()));
});
afterAll(async () => {
  await worker.close();
  await world.stop();
});

/** Sends a request to the provider for a company, in this process; true when it got a turn. */
async function asked(app: Pick<INestApplicationContext, 'get'>, company: Id): Promise<boolean> {
  const account = await app.get(CardProviders).accountOf(company, null);
  try {
    await account.intentsBefore(null);
    return true;
  } catch (error) {
    if (error instanceof NotSent) return false;
    throw error;
  }
}

/** Sends `atOnce` concurrent requests for one company until stopped, then returns how many got a turn. */
function flood(
  app: Pick<INestApplicationContext, 'get'>,
  company: Id,
  atOnce: number,
): () => Promise<number> {
  let isOn = true;
  let turns = 0;
  const askOn = async (): Promise<void> => {
    while (isOn) if (await asked(app, company)) turns += 1;
  };
  const running = Promise.all(Array.from({ length: atOnce }, askOn));
  return async () => {
    isOn = false;
    await running;
    return turns;
  };
}

async function oneAfterAnother(count: number, ask: () => Promise<boolean>): Promise<number> {
  let turns = 0;
  for (let index = 0; index < count; index += 1) if (await ask()) turns += 1;
  return turns;
}

describe('While the requests of one company would use up the rate of the provider', () => {
  it('billing and another company continue, and so does the first', async () => {
    const stop = flood(world.api, world.company, 3 * PER_SECOND);
    // Sequential, so that no request waits long enough to be abandoned.
    const [billing, requests] = await Promise.all([
      oneAfterAnother(10, () => asked(worker, other.company)),
      oneAfterAnother(10, () => asked(world.api, other.company)),
    ]);
    expect([billing, requests]).toEqual([10, 10]);
    expect(await stop()).toBeGreaterThan(0);
  }, 120_000);
});

describe('While billing would use up the rate of the provider', () => {
  it('requests continue, and so does billing', async () => {
    const stop = flood(worker, world.company, 3 * PER_SECOND);
    expect(await oneAfterAnother(10, () => asked(world.api, world.company))).toBe(10);
    expect(await stop()).toBeGreaterThan(0);
  }, 120_000);
});
