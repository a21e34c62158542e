import { Injectable } from '@nestjs/common';
import { Log, spread } from '@commerce/platform';

import type { LeasedDelivery } from '../delivery/leased-delivery.js';
import type { DueDelivery } from '../delivery/due-delivery.js';
import { AttemptRunner } from './attempt-runner.js';
import { OPEN_MS } from './queues/circuit-breaker.js';
import type { EndpointQueue } from './queues/endpoint-queue.js';
import { OutcomeWriter } from './outcome-writer.js';

/** Calls that this worker makes at once, in total and for one company. */
const CALLS = 256;
const CALLS_PER_COMPANY = 64;

/** Sends leased deliveries, within the limits for endpoints, companies and the whole worker. */
@Injectable()
export class DeliverySender {
  private inFlight = 0;
  private readonly byCompany = new Map<string, number>();
  /** Endpoints that could be called but for the limits of their company and of the worker. */
  private readonly blocked = new Set<EndpointQueue>();
  private onDone: (queue: EndpointQueue, count: number) => void = () => undefined;

  constructor(
    private readonly attempts: AttemptRunner,
    private readonly outcomes: OutcomeWriter,
    private readonly log: Log,
  ) {}

  get isIdle(): boolean {
    return this.inFlight === 0;
  }

  /** Calls the listener with the number of deliveries of an endpoint that were sent or released. */
  whenDone(listener: (queue: EndpointQueue, count: number) => void): void {
    this.onDone = listener;
  }

  /** Whether no further call may be made for this company now. */
  isFull(company: string): boolean {
    return this.inFlight >= CALLS || (this.byCompany.get(company) ?? 0) >= CALLS_PER_COMPANY;
  }

  /** Starts as many calls to an endpoint as may run. */
  start(queue: EndpointQueue): void {
    for (;;) {
      const first = queue.peek();
      if (first === null) return;
      if (this.isFull(first.due.company)) {
        this.blocked.add(queue);
        return;
      }
      const leased = queue.next(performance.now());
      if (leased === null) return;
      this.count(leased.due.company, 1);
      this.run(queue, leased).catch((error: unknown) => {
        // Its lease ends, and it is sent again.
        this.log.error({ error, delivery: leased.due.key }, 'A delivery was given up by an unforeseen error');
      });
    }
  }

  /** Releases everything in the queue of an endpoint; it is due again after `waitMs`. */
  releaseAll(queue: EndpointQueue, waitMs: number): void {
    const left = queue.drain();
    for (const { due } of left) this.release(due, waitMs);
    if (left.length > 0) this.onDone(queue, left.length);
  }

  /** Releases a delivery that was not sent; it is due again after `waitMs`, or a little later. */
  release(due: DueDelivery, waitMs: number): void {
    this.outcomes.add({ kind: 'released', due, waitMs: spread(waitMs, 1, 1.2) });
  }

  private async run(queue: EndpointQueue, leased: LeasedDelivery): Promise<void> {
    let isEnded = false;
    try {
      const outcome = await this.attempts.run(leased);
      this.outcomes.add(outcome);
      if (outcome.kind === 'attempted') {
        const { verdict, result } = outcome;
        isEnded = true;
        const opened = queue.ended(verdict.kind === 'succeeded', result.durationMs, performance.now());
        if (opened) this.releaseAll(queue, OPEN_MS);
      }
    } finally {
      if (!isEnded) queue.skipped();
      this.count(leased.due.company, -1);
      this.onDone(queue, 1);
      this.start(queue);
      this.startBlocked();
    }
  }

  private startBlocked(): void {
    // A copy: a queue that is still blocked returns to the set, which would make this loop endless.
    for (const queue of [...this.blocked]) {
      if (this.inFlight >= CALLS) return;
      this.blocked.delete(queue);
      this.start(queue);
    }
  }

  private count(company: string, by: 1 | -1): void {
    this.inFlight += by;
    const count = (this.byCompany.get(company) ?? 0) + by;
    if (count === 0) this.byCompany.delete(company);
    else this.byCompany.set(company, count);
  }
}
