import { Injectable } from '@nestjs/common';

import { Log, Metrics } from '@commerce/platform';

const EVERY_MS = 60_000;

/** Counts the errors of queues, and logs the first of each queue and then one a minute with the count. */
@Injectable()
export class QueueErrorLog {
  private readonly quiet = new Map<string, { until: number; errors: number }>();

  constructor(
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  count(queue: string, error: Error): void {
    this.metrics.queueError(queue);
    const at = performance.now();
    const last = this.quiet.get(queue);
    if (last !== undefined && at < last.until) {
      last.errors += 1;
      return;
    }
    const errors = (last?.errors ?? 0) + 1;
    this.quiet.set(queue, { until: at + EVERY_MS, errors: 0 });
    // Without the refused command, which is a long script.
    this.log.warn({ error: error.message, queue, errors }, 'Redis refuses the commands of a queue');
  }
}
