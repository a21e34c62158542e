import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { DatabaseClock } from '@commerce/data';
import { Log, Metrics } from '@commerce/platform';

import { DeliveryStore } from '../delivery/delivery.store.js';
import { writesOf, type Outcome } from '../delivery/outcomes.js';
import { Condition } from './condition.js';
import { WebhookHealthMonitor } from './webhook-health-monitor.js';

/** Outcomes are written together: after this time at the latest, or once there are this many. */
const LATEST_MS = 20;
const ENOUGH = 250;
/** A write that fails is repeated at this interval, and given up after this time. */
const RETRY_MS = 500;
const GIVE_UP_MS = 10_000;

/**
 * Records the outcomes of deliveries, many by one command. They need no transaction, so they are no units of work of a
 * group commit; an error is logged, because no caller waits for it.
 */
@Injectable()
export class OutcomeWriter {
  private waiting: Outcome[] = [];
  private timer: NodeJS.Timeout | null = null;
  private isWriting = false;
  private readonly written = new Condition();

  constructor(
    private readonly store: DeliveryStore,
    private readonly clock: DatabaseClock,
    private readonly health: WebhookHealthMonitor,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** The number of outcomes that are not written yet. */
  get backlog(): number {
    return this.waiting.length;
  }

  add(outcome: Outcome): void {
    this.waiting.push(outcome);
    this.schedule();
  }

  /** Resolves once everything is written, at the latest after `ms`. */
  async flushed(ms = Infinity): Promise<void> {
    this.write();
    await this.written.until(() => this.waiting.length === 0 && !this.isWriting, ms);
  }

  private schedule(): void {
    if (this.waiting.length >= ENOUGH) this.write();
    else if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.write(), LATEST_MS);
  }

  private write(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.isWriting || this.waiting.length === 0) return;
    this.isWriting = true;
    const outcomes = this.waiting;
    this.waiting = [];
    this.record(outcomes)
      .catch((error: unknown) =>
        this.log.error({ error }, 'Outcomes of deliveries were lost; they are sent again'),
      )
      .finally(() => {
        this.isWriting = false;
        this.schedule();
        this.written.changed();
      });
  }

  private async record(outcomes: readonly Outcome[]): Promise<void> {
    if (!(await this.stored(outcomes))) return;
    try {
      this.count(outcomes);
      await this.health.note(outcomes);
    } catch (error) {
      // The next outcome of the same webhook is noted again.
      this.log.warn({ error }, 'The health of webhooks could not be noted');
    }
  }

  /** Returns false if the database did not take the outcomes: their leases end, and they are sent again. */
  private async stored(outcomes: readonly Outcome[]): Promise<boolean> {
    const end = performance.now() + GIVE_UP_MS;
    for (;;) {
      try {
        await this.store.record(writesOf(outcomes, await this.clock.now()));
        return true;
      } catch (error) {
        this.log.warn({ error, outcomes: outcomes.length }, 'Outcomes of deliveries could not be written');
        if (performance.now() > end) return false;
        await pause(RETRY_MS);
      }
    }
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
