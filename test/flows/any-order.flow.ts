import { eventually } from '@commerce/testing';

import { World } from '../world.js';
import { DAY, Scenario, at, type ReportedEvent } from './scenario.js';

const SEED = Number(process.env['STORY_SEED'] ?? 20250101);
const OPERATIONS = Number(process.env['STORY_OPERATIONS'] ?? 60);

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

/** Mulberry32: small and reproducible by its seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

const UNITS = ['DAY', 'WEEK', 'MONTH', 'MONTH_END', 'ANNUAL'];
const BILLED = ['WEEK', 'MONTH', 'MONTH_END'];
const OUTCOMES = ['succeed', 'insufficient_funds', 'lost_card', 'authentication_required', 'reset_once'];

/** Customers on one clock, with random events. */
class Crowd {
  readonly subscriptions: { id: string; scenario: Scenario; cards: string[] }[] = [];
  private time: number;

  constructor(
    private readonly first: Scenario,
    private readonly pick: (below: number) => number,
  ) {
    this.time = at('2025-01-31');
  }

  async happens(): Promise<void> {
    const one = this.subscriptions[this.pick(Math.max(1, this.subscriptions.length))];
    const what = this.pick(12);
    if (one === undefined || (what === 0 && this.subscriptions.length < 8)) return this.joins();
    const { id, scenario, cards } = one;
    const later = this.time + this.pick(60) * DAY + this.pick(2) * DAY * 0.37;
    // Refusals are valid outcomes too: the properties must hold after them.
    switch (what) {
      case 1:
      case 2:
        return this.asks(`/subscriptions/${id}/start`, this.pick(3) === 0 ? { reanchor: true } : {});
      case 3:
        return this.asks(`/subscriptions/${id}/stop`, this.pick(2) === 0 ? {} : { ending_date: later });
      case 4:
        return this.asks(`/subscriptions/${id}/pause`, this.pick(2) === 0 ? {} : { resume_at: later });
      case 5:
        cards.push(await scenario.card());
        await world.admin.put(`/subscriptions/${id}`, { payment_method: cards.at(-1) });
        return;
      case 6:
        await world.admin.put(`/subscriptions/${id}`, { interval_total: 1 + this.pick(24) });
        return;
      case 7:
        return scenario.bank(...Array.from({ length: 1 + this.pick(3) }, () => this.any(OUTCOMES)));
      default:
        return this.passes();
    }
  }

  private async joins(): Promise<void> {
    const scenario = await this.first.another();
    const card = await scenario.card();
    const payment_method = this.pick(5) === 0 ? undefined : card;
    const interval_unit = this.any(UNITS);
    const plan = {
      interval_unit,
      billing_interval: this.pick(2) === 0 ? interval_unit : this.any(BILLED),
      total_amount: (100 + this.pick(9999)) / 100,
      prepay: this.pick(2) === 0,
      is_prorated: this.pick(4) > 0,
      setup_fee: this.pick(3) === 0 ? 5 : 0,
      trial_days: this.pick(4) === 0 ? 10 : 0,
      auto_bill_amount: this.pick(4) > 0,
      should_retry_payments: this.pick(2) === 0,
      max_fail_attempts: this.pick(4),
      initial_fail_amount_action: this.any(['CONTINUE', 'CANCEL']),
    };
    this.subscriptions.push({
      id: await scenario.subscribed(plan, { payment_method }),
      scenario,
      cards: [card],
    });
  }

  private async passes(): Promise<void> {
    this.time += Math.floor((this.pick(40) + this.pick(4) / 4) * DAY);
    await this.first.sets(this.time);
    await eventually(
      async () => {
        await this.first.providerHurries();
        return this.first.time();
      },
      ({ status }) => status === 'ready',
      60_000,
    );
  }

  private async asks(path: string, body: object): Promise<void> {
    const { status } = await world.admin.post(path, body);
    expect([200, 409, 422]).toContain(status);
  }

  private any<T>(list: readonly T[]): T {
    return list[this.pick(list.length)]!;
  }

  /** Waits until all work in progress has ended. */
  async rests(): Promise<void> {
    for (const { id, scenario } of this.subscriptions) {
      await scenario.providerHurries();
      await scenario.settled(id);
    }
  }
}

const minor = (amount: number): number => Math.round(amount * 100);

describe(`${String(OPERATIONS)} operations in any order, by the seed ${String(SEED)}`, () => {
  const crowd = { of: null as unknown as Crowd };

  beforeAll(async () => {
    crowd.of = new Crowd(await Scenario.begin(world, '2025-01-31'), numbers(SEED));
    for (let n = 0; n < OPERATIONS; n += 1) await crowd.of.happens();
    await crowd.of.rests();
  }, 600_000);

  it('leave as much with the provider as the payments state', async () => {
    for (const { id, scenario } of crowd.of.subscriptions) {
      let [captured, refunded] = [0, 0];
      for (const payment of await scenario.payments(id)) {
        if (['SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(payment.status)) {
          captured += minor(payment.amount);
          refunded += minor(payment.refunded_amount);
        }
      }
      const ledger = await scenario.ledger();
      expect([id, ledger.captured, ledger.refunded]).toEqual([id, captured, refunded]);
    }
  });

  it('list the newest payments once each, and none after the end', async () => {
    for (const { id, scenario } of crowd.of.subscriptions) {
      const payments = await scenario.payments(id);
      const cancelled = (await scenario.events(id)).find(({ kind }) => kind === 'subscription.cancelled');
      const subscription = await scenario.subscription(id);
      expect(subscription.payments.map((one: any) => one.$oid).sort()).toEqual(
        payments
          .slice(-24)
          .map(({ _id }) => _id.$oid)
          .sort(),
      );
      for (const payment of payments) {
        if (cancelled !== undefined) expect(payment.created.$date).toBeLessThanOrEqual(cancelled.created);
        expect(payment.amount).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it('report every change from where the last one ended', async () => {
    for (const { id, scenario } of crowd.of.subscriptions) {
      const told = await scenario.events(id);
      expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, index) => index + 1));
      told.slice(1).forEach((next, index) => {
        expect(without(next.object, next.previous_data)).toEqual(
          without((told[index] as ReportedEvent).object, {}),
        );
      });
      const last = told.at(-1)!.object;
      expect((await scenario.subscription(id)).status).toBe(last.status);
    }
  });

  it('leave nothing due, and no failure', async () => {
    for (const { id, scenario } of crowd.of.subscriptions) {
      const row = await scenario.row(id);
      const { frozen_time } = await scenario.time();
      expect([id, row.failures]).toEqual([id, 0]);
      if (row.due !== null) expect(row.due.getTime()).toBeGreaterThan(frozen_time.$date);
    }
  });
});

/** The state before an event: the state after it with the previous values restored. */
function without(object: any, previous: any): object {
  return { ...object, ...previous, updated: null };
}
