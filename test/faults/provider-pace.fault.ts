import type { INestApplicationContext } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import { CardProviders, type CardProvider } from '@commerce/payments';
import { RedisClient } from '@commerce/platform';
import { newId, parseId } from '@commerce/records';
import { callProvider } from '@commerce/testing';
import type { Connection } from 'mongoose';

import { createWorker } from '../../apps/worker/src/create-worker.js';
import { Shop, type Buyer } from '../shop.js';
import { World } from '../world.js';

let world: World;
let buyer: Buyer;
let workers: [INestApplicationContext, INestApplicationContext];
beforeAll(async () => {
  world = await World.start({ worker: false });
  workers = [await createWorker(), await createWorker()];
  await Promise.all(workers.map((worker) => worker.get(RedisClient).untilReady()));
  buyer = await new Shop(world).buyer();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await world.stop();
});

const providerOf = (worker: INestApplicationContext): CardProvider =>
  worker.get(CardProviders).ofMode('test');

/** Lets the provider refuse one charge with 429. */
async function refuseOnce(provider: CardProvider): Promise<void> {
  const methods = world.api.get<Connection>(getConnectionToken()).collection('payment_methods');
  const card = await methods.findOne({ user: parseId(buyer.id)! });
  const customer_id = String(card?.['customer_id']);
  const headers = { authorization: 'Bearer sk_test_world' };
  const script = { next: '429_once' };
  await callProvider(
    world.sandbox.url,
    'POST',
    `/sandbox/customers/${customer_id}/behaviour`,
    script,
    headers,
  );
  const id = newId().toHexString();
  const owed = {
    subscription: id,
    order: null,
    kind: 'period',
    period_key: '0',
    credit_minor: 0,
    coupon: null,
  };
  const outcome = await provider.charge({
    ...{ key: `pay-${id}`, tag: { company: id, payment: id, attempt: 1, ...owed }, intent_id: null },
    ...{ amount_minor: 1000, currency: 'EUR', customer_id, method_id: String(card?.['payment_method_id']) },
    off_session: true,
  });
  expect(outcome).toMatchObject({ kind: 'unknown', unsent: true });
}

/** The duration of a request to the provider in milliseconds. */
async function timed(provider: CardProvider): Promise<number> {
  const began = performance.now();
  await provider.intentsBefore(null);
  return performance.now() - began;
}

describe('A 429 of the provider to one of two workers', () => {
  it('pauses both, for longer the second time in a row', async () => {
    const [one, other] = workers.map(providerOf) as [CardProvider, CardProvider];
    await timed(one);
    const usual = await timed(other);
    expect(usual).toBeLessThan(300);

    await refuseOnce(one);
    expect(await timed(other)).toBeGreaterThan(300);

    await refuseOnce(one);
    expect(await timed(other)).toBeGreaterThan(700);
  });

  it('pauses the one that received it while Redis is unreachable', async () => {
    const [one, other] = workers.map(providerOf) as [CardProvider, CardProvider];
    await timed(one);
    for (const worker of workers) worker.get(RedisClient).redis.disconnect();
    await refuseOnce(one);
    expect(await timed(other)).toBeLessThan(300);
    expect(await timed(one)).toBeGreaterThan(100);
  });
});
