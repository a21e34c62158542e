import { randomBytes } from 'node:crypto';

import { eventually, idIn } from '@commerce/testing';

import { ServiceProcesses } from '../processes.js';
import { MongoProxy } from './mongo-proxy.js';

/** More commands than a charge that takes from a balance sends. */
const RUNS = 30;

let proxy: MongoProxy;
let service: ServiceProcesses;
beforeAll(async () => {
  proxy = await MongoProxy.start(process.env['MONGODB_URI']!);
  const database = proxy.uri(`balance_${randomBytes(6).toString('hex')}`);
  service = await ServiceProcesses.start({ MONGODB_URI: database, DATABASE_TIMEOUT: '5s' });
}, 240_000);
afterAll(async () => {
  await service.stop();
  await proxy.stop();
});

describe('A database that fails at any command of a charge that takes from a balance', () => {
  it('takes the credit once, and charges the card the rest once', async () => {
    const values = { name: 'Monthly', interval_unit: 'MONTH', prepay: true, currency: 'EUR' };
    const plan = idIn(await service.admin.made('/plans', { ...values, total_amount: 100 }));
    const runs: { user: string; subscription: string }[] = [];
    for (let run = 1; run <= RUNS; run += 1) {
      const { user, method } = await service.cardholder('pm_card_visa');
      await service.admin.made(`/users/${user}/credits`, { amount: 40, currency: 'EUR' });
      const body = { plan, user, payment_method: method, start_now: true };
      const subscription = idIn(await service.admin.made('/subscriptions', body));
      let left = run;
      // Every other failed command reaches the server, and only its reply is lost.
      const how = run % 2 === 0 ? 'cut_before' : 'cut_after';
      proxy.treats(() => {
        left -= 1;
        return left === 0 ? how : 'pass';
      });
      await eventually(() => left <= 0, Boolean, 20_000);
      runs.push({ user, subscription });
    }
    proxy.comeBack();
    for (const [index, { user, subscription }] of runs.entries()) {
      const payments = await eventually(
        () => service.admin.read(`/subscriptions/${subscription}/payments`),
        (all: any[]) => all.length > 0 && all.every(({ status }) => status === 'SUCCEEDED'),
        120_000,
      );
      const ledger = await service.admin.read(`/users/${user}/credits`, { sort: 'number' });
      const seen = payments.map(({ amount, credit_applied }: any) => [amount, credit_applied]);
      const sum = ledger.reduce((all: number, one: { amount: number }) => all + one.amount, 0);
      const { balance } = await service.admin.read(`/users/${user}`);
      expect([index, seen, ledger.length, sum, balance]).toEqual([index, [[60, 40]], 2, 0, {}]);
    }
    const amounts = (await service.providerCharges()).map(({ amount }) => amount);
    expect(amounts).toEqual(runs.map(() => 6000));
  }, 540_000);
});
