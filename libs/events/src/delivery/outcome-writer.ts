import { Injectable } from '@nestjs/common';
import { Log, Metrics } from '@commerce/platform';

import { DeliveryStore } from './delivery.store.js';
import { writesOf, type Outcome } from './outcomes.js';
import { DatabaseClock } from './database-clock.js';
import { WebhookHealthMonitor } from './webhook-health-monitor.js';

/** Outcomes are written together: at the latest after this time, or when this many have come. */
const LATEST_MS = 20;
const ENOUGH = 250;
const RETRY_MS = 500;

/** Writes down what became of deliveries, many at a time. */
@Injectable()
export class OutcomeWriter {
  private waiting: Outcome[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  constructor(
    private readonly store: DeliveryStore,
    private readonly clock: DatabaseClock,
    private readonly health: WebhookHealthMonitor,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Outcomes that are not written yet. */
  get backlog(): number {
    return this.waiting.length;
  }

  add(outcome: Outcome): void {
    this.waiting.push(outcome);
    if (this.waiting.length >= ENOUGH) this.write();
    else this.timer ??= setTimeout(() => this.write(), LATEST_MS);
  }

  /** Resolves when everything is written, at the latest after `ms`. */
  async flushed(ms = Infinity): Promise<void> {
    const end = performance.now() + ms;
    while ((this.waiting.length > 0 || this.writing !== null) && performance.now() < end) {
      this.write();
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  private write(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.writing ??= this.writeAll().finally(() => {
      this.writing = null;
      // What came meanwhile.
      if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.write(), LATEST_MS);
    });
  }

  private async writeAll(): Promise<void> {
    const outcomes = this.waiting;
    this.waiting = [];
    const end = performance.now() + 2 * RETRY_MS * 10;
    for (;;) {
      try {
        await this.store.settle(writesOf(outcomes, await this.clock.now()));
        break;
      } catch (error) {
        this.log.warn({ error, outcomes: outcomes.length }, 'Outcomes of deliveries could not be written');
        // Their leases end, and they are sent again with the same ids.
        if (performance.now() > end) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
    this.count(outcomes);
    await this.health.note(outcomes);
  }

  private count(outcomes: readonly Outcome[]): void {
    const counts = new Map<string, number>();
    for (const outcome of outcomes) {
      const name = outcome.kind === 'attempted' ? outcome.verdict.kind : outcome.kind;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    for (const [name, count] of counts) this.metrics.delivery(name, count);
  }
}
