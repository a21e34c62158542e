import { setTimeout as pause } from 'node:timers/promises';

import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** The time in which the monitor of the event loop gets its first values. */
const FIRST_LOOK_MS = 50;

/** The metrics of the service, in the Prometheus format. Durations are in seconds. */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its reply',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  private readonly jobs = new Histogram({
    name: 'job_duration_seconds',
    help: 'Time that a job ran',
    labelNames: ['queue', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
    registers: [this.registry],
  });
  private readonly sweeps = new Histogram({
    name: 'sweep_duration_seconds',
    help: 'Time that one pass of a sweep took',
    labelNames: ['sweep', 'outcome'],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120],
    registers: [this.registry],
  });
  private readonly charges = new Counter({
    name: 'charges_total',
    help: 'Answers of the card provider to charges, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly hold = new Gauge({
    name: 'billing_held',
    help: '1 while new charges of the whole installation are on hold, else 0',
    registers: [this.registry],
  });
  private readonly deliveries = new Counter({
    name: 'deliveries_total',
    help: 'Attempts to deliver a webhook, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  private readonly depth = new Gauge({
    name: 'queue_depth',
    help: 'Jobs in a queue, by state',
    labelNames: ['queue', 'state'],
    registers: [this.registry],
  });
  private readonly oldestDue = new Gauge({
    name: 'oldest_due_age_seconds',
    help: 'How long the oldest due piece of work has been waiting',
    labelNames: ['work'],
    registers: [this.registry],
  });

  private readonly held = new Gauge({
    name: 'subscriptions_held',
    help: 'Subscriptions that billing leaves alone until they are released, by reason',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  private readonly failing = new Gauge({
    name: 'subscriptions_failing',
    help: 'Subscriptions whose last billing ended in an unforeseen error, held ones included',
    registers: [this.registry],
  });

  private readonly owed = new Gauge({
    name: 'payments_owing_refunds',
    help: 'Payments of which a refund failed that nothing has made good yet',
    registers: [this.registry],
  });

  private readonly queueErrors = new Counter({
    name: 'queue_errors_total',
    help: 'Errors that Redis or the connection to it gave a queue, by queue',
    labelNames: ['queue'],
    registers: [this.registry],
  });

  private watchesProcess = false;

  /**
   * All metrics as text. Those of the Node process begin with the first call, since the monitor of its event loop would
   * wake an idle process a hundred times a second for nobody.
   */
  async text(): Promise<string> {
    if (!this.watchesProcess) {
      this.watchesProcess = true;
      collectDefaultMetrics({ register: this.registry });
      await pause(FIRST_LOOK_MS);
    }
    return this.registry.metrics();
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status }, seconds);
  }

  job(queue: string, outcome: 'done' | 'failed', seconds: number): void {
    this.jobs.observe({ queue, outcome }, seconds);
  }

  queueError(queue: string): void {
    this.queueErrors.inc({ queue });
  }

  sweep(sweep: string, outcome: 'done' | 'failed', seconds: number): void {
    this.sweeps.observe({ sweep, outcome }, seconds);
  }

  charge(outcome: string): void {
    this.charges.inc({ outcome });
  }

  billingHeld(held: boolean): void {
    this.hold.set(held ? 1 : 0);
  }

  delivery(outcome: string, count = 1): void {
    this.deliveries.inc({ outcome }, count);
  }

  queueDepth(queue: string, state: string, jobs: number): void {
    this.depth.set({ queue, state }, jobs);
  }

  heldSubscriptions(reason: string, subscriptions: number): void {
    this.held.set({ reason }, subscriptions);
  }

  paymentsOwingRefunds(payments: number): void {
    this.owed.set(payments);
  }

  failingSubscriptions(subscriptions: number): void {
    this.failing.set(subscriptions);
  }

  /** Forgets what sweeps have found: another worker's metrics say it from now on. */
  forgetDue(): void {
    for (const found of [this.oldestDue, this.held, this.failing, this.owed, this.hold]) found.reset();
  }

  oldestDueAge(work: string, seconds: number): void {
    this.oldestDue.set({ work }, seconds);
  }
}
