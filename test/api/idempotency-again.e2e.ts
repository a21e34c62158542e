import type { INestApplicationContext } from '@nestjs/common';
import { eventually, idIn } from '@commerce/testing';

import { createWorker, startWorker } from '../../apps/worker/src/create-worker.js';
import { Shop } from '../shop.js';
import { World } from '../world.js';

let world: World;
let shop: Shop;
let worker: INestApplicationContext | undefined;

beforeAll(async () => {
  world = await World.start({ worker: false });
  shop = new Shop(world);
});
afterAll(async () => {
  await worker?.close();
  await world.stop();
});

const DAY = 86_400_000;
const FROZEN = Date.UTC(2026, 0, 31);

interface Refused {
  readonly path: string;
  readonly body: object;
  readonly code: string;
}

/** A test clock that is still advancing. */
async function advancing(): Promise<Refused> {
  const id = idIn(await world.admin.made('/test_clocks', { name: 'Busy', frozen_time: FROZEN }));
  const path = `/test_clocks/${id}/advance`;
  await world.admin.made(path, { frozen_time: FROZEN + DAY });
  return { path, body: { frozen_time: FROZEN + 2 * DAY }, code: 'test_clock.state_conflict' };
}

/** An order whose card has not declined yet. */
async function beingPaid(): Promise<Refused> {
  const { id: user, card: payment_method } = await shop.buyer('fault_late_failure');
  const items = [{ product: await shop.product() }];
  const order = idIn(await world.admin.made('/orders', { items, user, payment_method }));
  return { path: `/orders/${order}/cancel`, body: {}, code: 'order.state_conflict' };
}

/** An event that no worker has sent yet. */
async function unsent(): Promise<Refused> {
  const { id } = await world.user();
  const [event] = await shop.events(id);
  return { path: `/events/${event!.id}/replay`, body: {}, code: 'event.state_conflict' };
}

/** A subscription that was paused before its periods were charged. */
async function beingBilled(): Promise<Refused> {
  const { id: user, card: payment_method } = await shop.buyer();
  const plan = idIn(
    await world.admin.made('/plans', {
      ...{ name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: false },
      ...{ currency: 'EUR', total_amount: 10 },
    }),
  );
  const starting_date = Date.now() - 40 * DAY;
  const values = { plan, user, payment_method, start_now: true, starting_date };
  const id = idIn(await world.admin.made('/subscriptions', values));
  await world.admin.made(`/subscriptions/${id}/pause`);
  return { path: `/subscriptions/${id}/start`, body: {}, code: 'subscription.state_conflict' };
}

describe('A 409 that invites another try', () => {
  it('is not kept under its key: the same request takes effect once the state allows it', async () => {
    const all = [await advancing(), await beingPaid(), await unsent(), await beingBilled()];
    const send = ({ path, body }: Refused): Promise<any> =>
      world.admin.with({ 'Idempotency-Key': 'again' }).post(path, body);
    for (const one of all) {
      const { status, body, headers } = await send(one);
      expect([one.path, status, body.code, headers['retry-after']]).toEqual([one.path, 409, one.code, '1']);
    }
    await shop.settles();
    worker = await createWorker();
    startWorker(worker);
    for (const one of all) {
      const { body, headers } = await eventually(
        () => send(one),
        ({ status }) => status !== 409,
        60_000,
      );
      expect([one.path, headers['idempotent-replayed']]).toEqual([one.path, undefined]);
      const repeated = await send(one);
      expect([one.path, repeated.headers['idempotent-replayed']]).toEqual([one.path, 'true']);
      expect(repeated.body).toEqual(body);
    }
  }, 120_000);

  it('of a state that others must change names no time', async () => {
    const buyer = await shop.buyer();
    const body = { items: [{ product: await shop.product() }], payment_method: buyer.card };
    const order = await buyer.client.made('/orders', body);
    const caller = buyer.client.with({ 'Idempotency-Key': 'paid' });
    for (let i = 0; i < 2; i += 1) {
      const paid = await caller.post(`/orders/${idIn(order)}/pay`, {});
      expect([paid.status, paid.body.code, paid.body.current]).toEqual([409, 'order.state_conflict', 'PAID']);
      expect(paid.headers['retry-after']).toBeUndefined();
      expect(paid.headers['idempotent-replayed']).toBeUndefined();
    }
  });
});
