import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { TestClockStore, type TestClockRecord } from '@commerce/identity';
import type { Id } from '@commerce/platform';

import { BillingProcessor } from '../cycle/billing-processor.js';
import type { SubscriptionRecord } from '../subscriptions/subscription.record.js';
import { SubscriptionStore } from '../subscriptions/subscription.store.js';
import { TestClockWriter } from './test-clock-writer.js';

/** So many due dates are read at once. */
const AHEAD = 50;

/** What came of a part of the way: it goes on, it waits for somebody else, or the clock has arrived. */
type Leg = 'onward' | 'waits' | 'arrived';

/**
 * Moves advancing clocks to their targets: everything that falls due on the way, across all subscriptions of the
 * clock, happens in the order of its date and at its date, by the same billing as in real time.
 * A run may die at any line: the clock stays on its way, and the next run takes it up where it stands.
 */
@Injectable()
export class TestClockRunner implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly clocks: TestClockStore,
    private readonly subscriptions: SubscriptionStore,
    private readonly cycle: BillingProcessor,
    private readonly ways: TestClockWriter,
  ) {}

  /** Runs one clock until it has arrived, or must wait for a payment that somebody else will settle. */
  async run(company: Id, id: Id): Promise<void> {
    let leg: Leg = 'onward';
    while (leg === 'onward') {
      const clock = await this.clocks.in(company).find(id);
      if (clock === null || clock.status === 'ready') return;
      leg = await this.leg(clock);
    }
  }

  /** A worker that ends leaves the rest of the way to another one. */
  onModuleDestroy(): void {
    this.stopping = true;
  }

  private async leg(clock: TestClockRecord): Promise<Leg> {
    const { company, _id } = clock;
    const target = clock.target_time ?? clock.frozen_time;
    const pending = await this.subscriptions.pendingOnClock(company, _id, target, AHEAD);
    if (pending.length === 0) return (await this.ways.arrive(clock)) ? 'arrived' : 'waits';
    const due = pending.filter(isDue);
    if (due.length < pending.length) return 'waits';
    // As long as all that is due is in the list, what comes up anew belongs there too.
    const horizon = due.length < AHEAD ? target : due[due.length - 1]?.due;
    return this.inOrder(clock, due, horizon ?? target);
  }

  /** Bills what is due, one after the other; what one of them owes next takes its place among the others. */
  private async inOrder(start: TestClockRecord, due: Due[], horizon: Date): Promise<Leg> {
    let clock = start;
    while (!this.stopping) {
      const next = due.shift();
      if (next === undefined) return 'onward';
      const moved = await this.ways.move(clock, next.due);
      if (moved === null) return 'waits';
      clock = moved;
      const { subscription, waits } = await this.cycle.runOne(next, clock.frozen_time);
      if (waits) return 'waits';
      if (subscription !== null && isDue(subscription) && subscription.due <= horizon)
        insert(due, subscription);
    }
    return 'waits';
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
