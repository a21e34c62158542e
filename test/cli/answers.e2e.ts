import { getConnectionToken } from '@nestjs/mongoose';
import { engineOf } from '@commerce/data';
import { idIn } from '@commerce/testing';
import { Types, type Connection } from 'mongoose';

import { Scenario, at } from '../flows/scenario.js';
import { World } from '../world.js';
import { cli, json } from './command-line.js';

/** Commands start slowly on a busy machine. */
const PATIENCE = 240_000;

let world: World;
let scenario: Scenario;
let subscription: string;
let payment: string;

beforeAll(async () => {
  world = await World.start();
  scenario = await Scenario.begin(world, '2026-01-31');
  const plan = { name: 'Tea box', prepay: true, setup_fee: 5 };
  subscription = await scenario.subscribed(plan, { payment_method: await scenario.card() });
  await scenario.until('2026-03-15');
  payment = idIn((await scenario.payments(subscription))[0]);
});
afterAll(() => world.stop());

const lines = async (...args: string[]): Promise<string[]> => {
  const { code, stdout, stderr } = await cli(args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trimEnd().split('\n');
};

describe('explain', () => {
  it(
    "shows the computation of a payment's amount",
    async () => {
      expect(await lines('explain', payment)).toEqual([
        'what                      amount  how',
        'Setup fee               5.00 EUR',
        'Jan 31 – Feb 27, 2026  30.00 EUR  30.00 EUR per month: 30.00 EUR',
        'in all                 35.00 EUR',
        '',
        '35.00 EUR was charged, as it should be.',
      ]);
    },
    PATIENCE,
  );

  it(
    'fails when the amount differs from the charge, and for an id of no payment',
    async () => {
      const payments = world.api.get<Connection>(getConnectionToken()).collection('payments');
      const key = { _id: new Types.ObjectId(payment) };
      await payments.updateOne(key, { $set: { amount: 36 } });
      const { code, stdout } = await cli(['explain', payment]);
      await payments.updateOne(key, { $set: { amount: 35 } });
      expect([code, stdout]).toEqual([1, expect.stringContaining('36.00 EUR was charged, which is NOT')]);
      const { code: failed, stderr } = await cli(['explain', subscription]);
      expect([failed, stderr.trim()]).toEqual([1, 'error: There is no payment with this id']);
    },
    PATIENCE,
  );
});

describe('forecast', () => {
  it(
    "equals the API's reply",
    async () => {
      const company = world.company.toHexString();
      const options = ['--company', company, '--months', '3', '--test-clock', scenario.clock];
      const { amounts } = await world.admin.read('/forecast', { months: 3, test_clock: scenario.clock });
      expect(await json('forecast', ...options)).toMatchObject({
        from: at('2026-03-15'),
        amounts,
        subscriptions: 1,
      });
      expect(await lines('forecast', ...options)).toEqual([
        'month (UTC)     amount  charges',
        '2026-03      30.00 EUR        1',
        '2026-04      30.00 EUR        1',
        '2026-05      30.00 EUR        1',
        '',
        'Live subscriptions: 1',
      ]);
    },
    PATIENCE,
  );
});

describe('revenue', () => {
  it(
    "equals the API's reply",
    async () => {
      const company = world.company.toHexString();
      const options = ['--company', company, '--months', '3', '--test-clock', scenario.clock];
      const { months } = await world.admin.read('/revenue', { months: 3, test_clock: scenario.clock });
      expect(await json('revenue', ...options)).toMatchObject({
        to: at('2026-03-15'),
        not_included: 0,
        months,
      });
      expect(await lines('revenue', ...options)).toEqual([
        'month (UTC)  recurring      added   resumed  expanded  contracted      lost  subscriptions',
        '2026-01      30.00 EUR  30.00 EUR  0.00 EUR  0.00 EUR    0.00 EUR  0.00 EUR              1',
        '2026-02      30.00 EUR   0.00 EUR  0.00 EUR  0.00 EUR    0.00 EUR  0.00 EUR              1',
        '2026-03      30.00 EUR   0.00 EUR  0.00 EUR  0.00 EUR    0.00 EUR  0.00 EUR              1',
      ]);
    },
    PATIENCE,
  );
});

describe('subscription:show and payment:show', () => {
  it(
    'show past and future charges',
    async () => {
      const shown = await lines('subscription:show', subscription, '--upcoming', '2');
      expect(shown.slice(-8)).toEqual([
        'when (UTC)        what                            amount',
        '2026-01-31 00:00  created',
        '2026-01-31 00:00  start',
        '2026-01-31 00:00  charged (period): SUCCEEDED  35.00 EUR',
        '2026-02-28 00:00  charged (period): SUCCEEDED  30.00 EUR',
        '2026-03-15 00:00  ── now ──',
        '2026-03-31 00:00  will be charged (period)     30.00 EUR',
        '2026-04-30 00:00  will be charged (period)     30.00 EUR',
      ]);
      const { upcoming, payments } = await json('subscription:show', subscription);
      expect(upcoming).toHaveLength(6);
      expect(payments).toHaveLength(2);
      await scenario.until(upcoming[0].date);
      const [newest] = (await scenario.payments(subscription)).slice(-1);
      expect(newest).toMatchObject({ amount: upcoming[0].amount, created: { $date: upcoming[0].date } });
    },
    PATIENCE,
  );

  it(
    'show the attempts and refunds of a payment, and the computation of its amount',
    async () => {
      await world.admin.made(`/payments/${payment}/refunds`, { amount: 5, reason: 'goodwill' });
      const shown = (await lines('payment:show', payment)).join('\n');
      expect(shown).toContain('2026-01-31 00:00  attempt 1: SUCCEEDED');
      expect(shown).toMatch(/refund: \w+ +-5\.00 EUR {2}goodwill/);
      expect(shown).toContain('35.00 EUR was charged, as it should be.');
    },
    PATIENCE,
  );
});

describe('database:shard', () => {
  it(
    'refuses a server that is no mongos; on a cluster that is sharded it has nothing more to do',
    async () => {
      const { code, stdout, stderr } = await cli(['database:shard', '--dry-run']);
      const refused = [
        1,
        'error: MONGODB_URI leads to a server that is no mongos; only a sharded cluster can distribute collections',
      ];
      const { isSharded } = engineOf(world.api.get<Connection>(getConnectionToken()));
      if (!isSharded) expect([code, stderr.trim()]).toEqual(refused);
      else expect([code, stdout]).toEqual([0, expect.stringContaining('Nothing was done.')]);
    },
    PATIENCE,
  );
});
