import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TestClockStore, type TestClockRecord } from '@commerce/identity';
import { DatabaseClock } from '@commerce/data';
import { type Id } from '@commerce/records';

import { BillingProcessor } from '../cycle/billing-processor.js';
import type { SubscriptionRecord } from '../subscription-record/subscription.record.js';
import { SubscriptionStore } from '../subscription-record/subscription.store.js';
import { restMs } from './clock-turns.js';
import { TestClockWriter } from './test-clock-writer.js';

/** Due subscriptions that one query reads. */
const PER_READ = 200;

/**
 * The clock continues, has arrived, yields to others, waits for a payment that another process will settle, or is left
 * to another run.
 */
type Progress = 'onward' | 'arrived' | 'yields' | 'waits' | 'left';

/**
 * Moves advancing clocks to their targets: everything due on the way happens in order and at its date, by the same
 * billing as in real time, with different users billed concurrently at each date. A run may die at any line: the clock
 * stays `advancing`, and the next run continues from its current time.
 */
@Injectable()
export class TestClockRunner implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly clocks: TestClockStore,
    private readonly subscriptions: SubscriptionStore,
    private readonly processor: BillingProcessor,
    private readonly writer: TestClockWriter,
    private readonly time: DatabaseClock,
  ) {}

  /** Runs one clock until it has arrived, cannot continue now, or may not: `mayGoOn` is called after each date. */
  async run(company: Id, id: Id, mayGoOn: () => Promise<boolean>): Promise<void> {
    const own = this.clocks.in(company);
    const start = await own.find(id);
    let progress: Progress = 'onward';
    try {
      for (let clock = start; progress === 'onward'; clock = await own.find(id)) {
        if (clock === null || clock.status === 'ready') return;
        progress = await this.advance(clock, mayGoOn);
      }
    } catch (error) {
      if (start !== null) await this.rest(start, 'fails');
      throw error;
    }
    const now = await own.find(id);
    if (now === null || start === null) return;
    if (progress === 'yields') await this.clocks.rest(now, this.time.read(), 0);
    if (progress !== 'waits') return;
    const hasMoved = now.frozen_time > start.frozen_time;
    await this.rest(hasMoved ? { ...now, fruitless_runs: 0 } : now, 'waits');
  }

  /** Leaves the rest of the way to another worker. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  private async rest(
    clock: Pick<TestClockRecord, '_id' | 'company' | 'fruitless_runs'>,
    why: 'waits' | 'fails',
  ): Promise<void> {
    const { fruitless_runs } = clock;
    const run_at = new Date(this.time.read().getTime() + restMs(why, fruitless_runs));
    await this.clocks.rest(clock, run_at, fruitless_runs + 1);
  }

  private async advance(clock: TestClockRecord, mayGoOn: () => Promise<boolean>): Promise<Progress> {
    const { company, _id } = clock;
    const target = clock.target_time ?? clock.frozen_time;
    const pending = await this.subscriptions.pendingOnClock(company, _id, target, PER_READ);
    if (pending.length === 0) return (await this.writer.arrive(clock)) ? 'arrived' : 'left';
    const due = pending.filter(isDue);
    if (due.length < pending.length) return 'waits';
    // While the list holds all due subscriptions, newly due ones belong in it too.
    const horizon = due.length < PER_READ ? target : due[due.length - 1]?.due;
    return this.inOrder(clock, due, horizon ?? target, mayGoOn);
  }

  /** Bills the due subscriptions, date by date; a subscription's next due date takes its place among the others. */
  private async inOrder(
    start: TestClockRecord,
    due: Due[],
    horizon: Date,
    mayGoOn: () => Promise<boolean>,
  ): Promise<Progress> {
    let clock = start;
    while (!this.stopping) {
      const [first] = due;
      if (first === undefined) return 'onward';
      const moved = await this.writer.move(clock, first.due);
      if (moved === null) return 'left';
      clock = moved;
      const later = due.findIndex((one) => one.due > first.due);
      const now = due.splice(0, later === -1 ? due.length : later);
      const instants = { business: clock.frozen_time, real: this.time.read() };
      const results = await this.processor.runConcurrently(clock.company, now, instants);
      if (results.some(({ waits }) => waits)) return 'waits';
      for (const { subscription } of results)
        if (subscription !== null && isDue(subscription) && subscription.due <= horizon)
          insert(due, subscription);
      if (!(await mayGoOn())) return 'yields';
    }
    return 'left';
  }
}

type Due = SubscriptionRecord & { readonly due: Date };

function isDue(one: SubscriptionRecord): one is Due {
  return one.due !== null;
}

function insert(due: Due[], one: Due): void {
  const at = due.findIndex((other) => comesBefore(one, other));
  due.splice(at === -1 ? due.length : at, 0, one);
}

function comesBefore(a: Due, b: Due): boolean {
  if (a.due.getTime() !== b.due.getTime()) return a.due < b.due;
  return a._id.toHexString() < b._id.toHexString();
}
