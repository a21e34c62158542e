import { randomBytes } from 'node:crypto';

import { eventually, idIn, type Receiver } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';
import { MongoProxy } from './mongo-proxy.js';

/** More commands than a run sends before its subscription is paid and its events are delivered. */
const RUNS = 60;

let proxy: MongoProxy;
let service: ServiceProcesses;
let receiver: Receiver;
beforeAll(async () => {
  proxy = await MongoProxy.start(process.env['MONGODB_URI']!);
  const database = proxy.uri(`every_${randomBytes(6).toString('hex')}`);
  service = await ServiceProcesses.start({ MONGODB_URI: database, DATABASE_TIMEOUT: '5s' });
  receiver = await service.listening('payment.succeeded');
}, 240_000);
afterAll(async () => {
  await service.stop();
  await proxy.stop();
});

/** Creates a subscription, and repeats every request until it succeeds, as callers do. */
async function subscribe(
  run: number,
  plan: string,
  holder: { user: string; method: string },
): Promise<string> {
  const keyed = service.admin.with({ 'Idempotency-Key': `run-${String(run)}` });
  const body = { plan, user: holder.user, payment_method: holder.method, start_now: true };
  const { status, body: made } = await eventually(
    () => keyed.post('/subscriptions', body),
    (answer) => answer.status !== 503 && answer.status !== 409,
    30_000,
  );
  expect([run, status]).toEqual([run, 200]);
  return idIn(made);
}

function areRunning(): boolean[] {
  return ['api', 'worker'].map((name) => {
    const child = service.children.get(name);
    return child?.exitCode === null && child.signalCode === null;
  });
}

describe('A database that fails at any command of a run', () => {
  it('ends no process, and every begun run is finished once', async () => {
    const holder = await service.cardholder('pm_card_visa');
    const plans: string[] = [];
    for (let run = 1; run <= RUNS; run += 1) {
      const values = { name: 'Monthly', interval_unit: 'MONTH', billing_interval: 'MONTH', prepay: true };
      plans.push(
        idIn(await service.admin.made('/plans', { ...values, currency: 'EUR', total_amount: 100 + run })),
      );
    }
    const subscriptions: string[] = [];
    for (const [index, plan] of plans.entries()) {
      let left = index + 1;
      // Every other failed command reaches the server, and only its reply is lost.
      const how = index % 2 === 0 ? 'cut_before' : 'cut_after';
      proxy.treats(() => {
        left -= 1;
        return left === 0 ? how : 'pass';
      });
      subscriptions.push(await subscribe(index + 1, plan, holder));
      await eventually(() => left <= 0, Boolean, 20_000);
      expect([index + 1, areRunning()]).toEqual([index + 1, [true, true]]);
    }
    proxy.comeBack();
    for (const [index, subscription] of subscriptions.entries()) {
      const payments = await eventually(
        () => service.admin.read(`/subscriptions/${subscription}/payments`),
        (all: any[]) => all.length > 0 && all.every(({ status }) => status === 'SUCCEEDED'),
        120_000,
      );
      expect([index + 1, payments.length]).toEqual([index + 1, 1]);
    }
    const amounts = (await service.providerCharges()).map(({ amount }) => amount).sort((a, b) => a - b);
    expect(amounts).toEqual(plans.map((_, index) => (101 + index) * 100));
    const told = (): Set<string> => new Set(receiver.messages.map(({ json }) => String(json.object._id)));
    await receiver.until(() => told().size === RUNS, 60_000);
    expect(areRunning()).toEqual([true, true]);
  }, 540_000);
});
